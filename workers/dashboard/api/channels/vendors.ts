/** What the platform asks vendors of a bot: whether its token is valid, and where its webhooks go. */
import * as z from "zod";
import type { ChannelKind } from "#domain/channels/channel.ts";
import type { ChannelWebhook } from "#workers/contracts/api/tenants/channels.ts";
import { callVendor, unknownResponse, type VendorResponse } from "./vendor-call.ts";

const MAX_NAME = 200;

export interface Account {
  /** ID of the bot, which stays when its token is replaced. */
  id: string;
  name: string;
}

/** `rejected`: the vendor does not accept the token. Every other fault is thrown as a Failure. */
export type Answer<T> = T | "rejected";

interface VendorApi {
  account(api: string, token: string): Promise<Answer<Account>>;
  /** @param url of the channel's door */
  webhook(api: string, token: string, url: string): Promise<Answer<ChannelWebhook>>;
  /** Makes the vendor send no more webhooks to the door. Undefined: only the owner can, by hand. */
  stop?(api: string, token: string, url: string): Promise<Answer<undefined>>;
}

const named = (id: string, name: string): Account => ({ id, name: name.slice(0, MAX_NAME) });

// https://core.telegram.org/bots/api: "Making requests", "getMe", "getWebhookInfo", "deleteWebhook". A malformed token is an unknown path.
const telegramBot = z.object({
  ok: z.literal(true),
  result: z.object({ id: z.number().int(), is_bot: z.literal(true), username: z.string().min(1) }),
});
const telegramWebhook = z.object({
  ok: z.literal(true),
  result: z.object({ url: z.string(), last_error_message: z.string().optional() }),
});
const telegramDone = z.object({ ok: z.literal(true) });

async function telegram<T>(api: string, token: string, method: string, shape: z.ZodType<T>): Promise<Answer<T>> {
  const response = await callVendor({ kind: "telegram", url: `${api}/bot${token}/${method}`, method: "POST" });
  if (response.status === 401 || response.status === 404) return "rejected";
  return parsed("telegram", shape, response);
}

// https://docs.slack.dev/reference/methods/auth.test: the status is 200 for a wrong token, too.
const slackBot = z.object({
  ok: z.literal(true),
  team: z.string(),
  user: z.string().min(1),
  team_id: z.string().min(1),
  user_id: z.string().min(1),
  bot_id: z.string().min(1),
});
const slackRefusal = z.object({ ok: z.literal(false), error: z.string() });
const SLACK_REJECTIONS: readonly string[] = [
  "account_inactive",
  "invalid_auth",
  "not_authed",
  "token_expired",
  "token_revoked",
];

function parsed<T>(kind: ChannelKind, shape: z.ZodType<T>, { status, body }: VendorResponse): T {
  const { data } = shape.safeParse(body);
  if (status >= 300 || data === undefined) throw unknownResponse(kind, status);
  return data;
}

export const VENDORS: Readonly<Record<ChannelKind, VendorApi>> = {
  telegram: {
    async account(api, token) {
      const answer = await telegram(api, token, "getMe", telegramBot);
      return answer === "rejected" ? answer : named(String(answer.result.id), `@${answer.result.username}`);
    },
    async webhook(api, token, url) {
      const answer = await telegram(api, token, "getWebhookInfo", telegramWebhook);
      if (answer === "rejected") return answer;
      const { url: address, last_error_message: error = null } = answer.result;
      if (address === "") return { registration: "none", error: null };
      return address === url ? { registration: "registered", error } : { registration: "elsewhere", error: null };
    },
    async stop(api, token, url) {
      const answer = await VENDORS.telegram.webhook(api, token, url);
      if (answer === "rejected") return answer;
      // The webhook of another system stays.
      if (answer.registration !== "registered") return undefined;
      const deleted = await telegram(api, token, "deleteWebhook", telegramDone);
      return deleted === "rejected" ? deleted : undefined;
    },
  },
  slack: {
    async account(api, token) {
      const response = await callVendor({ kind: "slack", url: `${api}/api/auth.test`, method: "POST", bearer: token });
      const error = slackRefusal.safeParse(response.body).data?.error;
      if (error !== undefined && SLACK_REJECTIONS.includes(error)) return "rejected";
      const { team, user, team_id, user_id } = parsed("slack", slackBot, response);
      return named(`${team_id}:${user_id}`, `@${user} (${team})`);
    },
    // Slack tells a bot nothing of the Request URL.
    webhook: async () => ({ registration: "unknown", error: null }),
  },
};
