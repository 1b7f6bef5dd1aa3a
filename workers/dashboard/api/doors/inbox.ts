/** The inbox of an instance, read and changed through the dispatch Worker. */
import type * as z from "zod";
import { auditInboxOrder } from "#database/doors/inbox-orders.ts";
import type { doorRoutes, InboxEntry } from "#workers/contracts/api/tenants/doors.ts";
import {
  INBOX_EXPORT_TYPE,
  type InboxMessage,
  type InboxQuery,
  type MessageState,
} from "#workers/contracts/tenant/inbox.ts";
import type { Settings } from "../../env.ts";
import type { Call, Handlers } from "../../http/serve.ts";
import { TenantOrders } from "../../tenants/tenant-orders.ts";
import { sendInstanceEvent } from "../events.ts";
import { requireInstance } from "../required.ts";

type InboxRoute = "listInbox" | "replayInbox" | "dropInbox" | "exportInbox";

export const inboxHandlers: Pick<Handlers<typeof doorRoutes>, InboxRoute> = {
  async listInbox({ db, settings, params, query, release }) {
    const { client } = await requireInstance(db, settings.ENVIRONMENT, params.instance_id);
    await release();
    return listedInbox(settings, client.slug, query);
  },

  replayInbox: (call) => changeInbox(call, "replay"),

  dropInbox: (call) => changeInbox(call, "drop"),

  async exportInbox({ db, settings, params, query, caller, release }) {
    const found = await requireInstance(db, settings.ENVIRONMENT, params.instance_id);
    await auditInboxOrder(db, found.id, { order: "export", details: query });
    await sendInstanceEvent(db, found, "instance.inbox_exported", (await caller).email);
    await release();
    return exportedInbox(settings, found.client.slug, query.state);
  },
};

/** Does not wake the tenant. @throws Failure */
export async function listedInbox(
  settings: Settings,
  slug: string,
  query: Partial<InboxQuery>,
): Promise<z.input<typeof doorRoutes.listInbox.answer>> {
  const { messages, next = null, status } = await new TenantOrders(settings).inbox(slug, query);
  const { oldestAt = null, ...counts } = status;
  return { data: messages.map(inboxEntry), pagination: { next }, inbox: { ...counts, oldest_at: oldestAt } };
}

/** Streams messages as a file. @throws Failure */
export async function exportedInbox(settings: Settings, slug: string, state?: MessageState): Promise<Response> {
  const { body } = await new TenantOrders(settings).exportedInbox(slug, state);
  const disposition = `attachment; filename="inbox-${slug}.jsonl"`;
  return new Response(body, {
    headers: { "content-type": INBOX_EXPORT_TYPE, "content-disposition": disposition },
  });
}

async function changeInbox(
  {
    db,
    settings,
    params,
    body,
    caller,
    actOutside,
  }: Call<typeof doorRoutes.replayInbox> | Call<typeof doorRoutes.dropInbox>,
  change: "replay" | "drop",
) {
  const found = await requireInstance(db, settings.ENVIRONMENT, params.instance_id);
  await auditInboxOrder(db, found.id, { order: change, details: body });
  await sendInstanceEvent(db, found, `instance.inbox_${change}_ordered`, caller.email);
  // Within the transaction: a failed request leaves neither.
  actOutside();
  return new TenantOrders(settings).changeInbox(found.client.slug, change, body);
}

function inboxEntry(message: InboxMessage): InboxEntry {
  const { id, door, kind, name, eventId, conversation, state, bytes, attempts, receivedAt, changedAt } = message;
  const { nextAttemptAt = null, failure } = message;
  return {
    ...{ id, conversation, state, bytes, attempts, door: { id: door, kind, name }, event_id: eventId },
    ...{ received_at: receivedAt, changed_at: changedAt, next_attempt_at: nextAttemptAt },
    failure: failure === undefined ? null : { reason: failure.reason, status: failure.status ?? null },
  };
}
