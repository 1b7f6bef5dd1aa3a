/** Routes of the inbox for the dispatch Worker: it receives messages, and lets administrators list, replay, drop and export them. */
import { type Context, Hono } from "hono";
import type * as z from "zod";
import { workerErrors } from "#domain/errors/tenants/worker.ts";
import { errorResponse } from "#workers/contracts/errors.ts";
import {
  DELIVERY_HEADER,
  decodeDelivery,
  type ExportedMessage,
  exportedMessage,
  INBOX_DROP_PATH,
  INBOX_EXPORT_PATH,
  INBOX_EXPORT_TYPE,
  INBOX_PATH,
  INBOX_REPLAY_PATH,
  type InboxAnswer,
  type InboxQuery,
  type InboxSelection,
  inboxQuery,
  inboxSelection,
  MAX_INBOX_BODY_BYTES,
  OUTCOME_HEADER,
} from "#workers/contracts/tenant/inbox.ts";
import { BodyTooLarge, readRequest } from "#workers/shared/bounded-body.ts";
import { jsonOf } from "#workers/shared/env.ts";
import { log } from "#workers/shared/log.ts";
import type { TenantEnv } from "../env.ts";
import { supervisorOf } from "../supervisor-calls.ts";
import type { ExportEntry } from "./inbox.ts";

type Call = Context<{ Bindings: TenantEnv }>;

const UNCACHED = { "cache-control": "no-store" };
/** Vendors retry at their own intervals; this is for those that read the header. */
const FULL_RETRY_SECONDS = 60;

async function receive({ req, env }: Call): Promise<Response> {
  const delivery = decodeDelivery(req.header(DELIVERY_HEADER) ?? "");
  if (delivery === undefined) return errorResponse(workerErrors.inbox_delivery_invalid);
  let body: ArrayBuffer;
  try {
    body = (await readRequest(req.raw, MAX_INBOX_BODY_BYTES)).buffer;
  } catch (error) {
    if (!(error instanceof BodyTooLarge)) throw error;
    return errorResponse(workerErrors.inbox_message_too_large, { bytes: MAX_INBOX_BODY_BYTES });
  }
  const outcome = await supervisorOf(env).receiveMessage(delivery, body);
  if (outcome !== "full") {
    const headers = { ...UNCACHED, [OUTCOME_HEADER]: outcome };
    return Response.json({ outcome } satisfies InboxAnswer, { status: 202, headers });
  }
  return errorResponse(workerErrors.inbox_full, {}, { headers: { "retry-after": String(FULL_RETRY_SECONDS) } });
}

/** Runs `read` with the request's query, or responds with 400. */
const withQuery =
  (read: (c: Call, query: InboxQuery) => Response | Promise<Response>) =>
  async (c: Call): Promise<Response> => {
    const query = inboxQuery.safeParse(c.req.query());
    return query.success
      ? read(c, query.data)
      : errorResponse(workerErrors.inbox_query_invalid, { fault: faultOf(query.error) });
  };

const faultOf = ({ issues: [issue] }: z.ZodError): string => `\`${issue?.path.join(".")}\`: ${issue?.message}`;

/** Runs `change` with the selection in the body, or responds with 400. */
const withSelection =
  (change: (supervisor: ReturnType<typeof supervisorOf>, selection: InboxSelection) => Promise<object>) =>
  async (c: Call): Promise<Response> => {
    const selection = inboxSelection.safeParse(await c.req.json().catch(() => undefined));
    if (!selection.success) return errorResponse(workerErrors.order_invalid, { fields: "ids or all" });
    return c.json(await change(supervisorOf(c.env), selection.data), 200, UNCACHED);
  };

function exportMessages({ env }: Call, { state }: InboxQuery): Response {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  writeMessages(env, state, writable).catch((error) => {
    log("error", "inbox.not-exported", { message: String(error) });
    // The reader sees an error, not the end.
    return writable.abort(error);
  });
  return new Response(readable, { headers: { ...UNCACHED, "content-type": INBOX_EXPORT_TYPE } });
}

async function writeMessages(
  env: TenantEnv,
  state: InboxQuery["state"],
  to: WritableStream<Uint8Array>,
): Promise<void> {
  const writer = to.getWriter();
  try {
    const encoder = new TextEncoder();
    let after: string | undefined;
    do {
      const page = await supervisorOf(env).exportMessages({ state, after });
      for (const entry of page.entries)
        await writer.write(encoder.encode(`${JSON.stringify(await exported(entry, env))}\n`));
      after = page.next;
    } while (after !== undefined);
    await writer.close();
  } finally {
    writer.releaseLock();
  }
}

/** A body that is missing in the bucket is absent. */
async function exported({ message, body }: ExportEntry, { BACKUP_BUCKET }: TenantEnv): Promise<ExportedMessage> {
  const bytes =
    body === undefined || "bytes" in body ? body?.bytes : await (await BACKUP_BUCKET.get(body.object))?.arrayBuffer();
  return {
    ...jsonOf(exportedMessage).parse(message),
    ...(bytes !== undefined && { body: base64(new Uint8Array(bytes)) }),
  };
}

/** Most arguments of a call. */
const CHUNK = 0x8000;

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(text);
}

export const inboxAdmin = new Hono<{ Bindings: TenantEnv }>()
  .post(INBOX_PATH, receive)
  .get(
    INBOX_PATH,
    withQuery(async (c, query) => c.json(await supervisorOf(c.env).listMessages(query), 200, UNCACHED)),
  )
  .post(
    INBOX_REPLAY_PATH,
    withSelection((supervisor, selection) => supervisor.replayMessages(selection)),
  )
  .post(
    INBOX_DROP_PATH,
    withSelection((supervisor, selection) => supervisor.dropMessages(selection)),
  )
  .get(INBOX_EXPORT_PATH, withQuery(exportMessages));
