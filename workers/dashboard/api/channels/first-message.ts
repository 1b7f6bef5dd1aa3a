/** Whether messages to a bot arrive: no vendor lets a bot write to a person who has not written to it. */
import type * as z from "zod";
import type { ListedChannel } from "#database/channels/channels.ts";
import { ofBot, webhookValues } from "#domain/channels/channel.ts";
import { termsOf } from "#domain/channels/kinds.ts";
import { channelErrors } from "#domain/errors/api/channels.ts";
import { errorText } from "#domain/errors/catalogue.ts";
import type { ChannelWebhook, firstMessage } from "#workers/contracts/api/tenants/channels.ts";
import { type InboxMessage, MAX_INBOX_PAGE, type MessageState } from "#workers/contracts/tenant/inbox.ts";
import { TenantOrders, type TenantOrdersSettings } from "../../tenants/tenant-orders.ts";

type FirstMessage = z.infer<typeof firstMessage>;

/** Pages of the inbox that are searched: other doors may have many messages. */
const MAX_PAGES = 5;

/** @throws Failure if the tenant does not respond */
export async function findFirstMessage(
  settings: TenantOrdersSettings,
  slug: string,
  { door_id, connected_at, last_received_at }: ListedChannel,
): Promise<FirstMessage> {
  if (connected_at !== null) return "accepted";
  if (last_received_at === null) return "none";
  const orders = new TenantOrders(settings);
  const find = async (state: MessageState | undefined): Promise<InboxMessage | undefined> => {
    let after: string | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { messages, next } = await orders.inbox(slug, { state, after, limit: MAX_INBOX_PAGE });
      const found = messages.find(({ door }) => door === door_id);
      if (found !== undefined || next === undefined) return found;
      after = next;
    }
    return undefined;
  };
  const found = (await find("accepted")) ?? (await find(undefined));
  return found === undefined || found.state === "dropped" ? "none" : found.state;
}

/** Returns what the owner does next. */
export function stepsOf(
  { kind, account, pushed_at }: Pick<ListedChannel, "kind" | "account" | "pushed_at">,
  { registration }: ChannelWebhook,
  message: FirstMessage,
): string[] {
  if (registration === "elsewhere") {
    return [errorText(channelErrors.channel_webhook_elsewhere, webhookValues(kind, account.name))];
  }
  // A webhook may be lost after the first message.
  if (kind === "telegram" && (registration === "none" || (registration === "unknown" && message === "none"))) {
    return pushed_at === null
      ? ["Wait until the tenant has received the channel: its gateway registers the webhook."]
      : ["Restart the gateway, which registers the webhook at Telegram."];
  }
  if (message === "accepted") return [];
  if (message === "dead") return ["Read the failure of the message in the inbox of the instance, then replay it."];
  if (message !== "none") return ["Wait: the message is in the inbox, and the gateway is starting."];
  return termsOf(kind).steps.map((step) => ofBot(step, account.name));
}
