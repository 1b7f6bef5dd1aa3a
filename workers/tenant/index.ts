/** The tenant Worker: health, administration, and a proxy to the gateway. */

import { type Context, Hono } from "hono";
import type * as z from "zod";
import { backupErrors } from "#domain/errors/tenants/backups.ts";
import { workerErrors } from "#domain/errors/tenants/worker.ts";
import { errorResponse, statedResponse } from "#workers/contracts/errors.ts";
import { ADMITTED_AT_HEADER, ROLE_HEADER, timeIn } from "#workers/contracts/platform-headers.ts";
import { role } from "#workers/contracts/roles.ts";
import type { BackupOrigin } from "#workers/contracts/tenant/backup.ts";
import { CHANNELS_PATH, channelsOrder } from "#workers/contracts/tenant/channels.ts";
import { EGRESS_PATH, type EgressReport, egressOrder } from "#workers/contracts/tenant/egress.ts";
import {
  BACKUP_PATH,
  CUT_PATH,
  cutOrder,
  INTERNAL_PATH_PREFIX,
  METRICS_PATH,
  TICK_PATH,
  tick,
} from "#workers/contracts/tenant/internal.ts";
import { AI_USAGE_PATH, aiUsageOrder } from "#workers/contracts/tenant/metrics/ai-usage.ts";
import {
  PROVIDER_KEYS_PATH,
  type ProviderKeysReport,
  providerKeysOrder,
} from "#workers/contracts/tenant/provider-keys.ts";
import { SLEEP_PATH, type SleepAnswered, sleepOrder } from "#workers/contracts/tenant/sleep.ts";
import { SPENDING_CAP_PATH, spendingCapOrder } from "#workers/contracts/tenant/spending-cap.ts";
import { jsonOf } from "#workers/shared/env.ts";
import { log } from "#workers/shared/log.ts";
import { isInterrupted } from "#workers/shared/object-calls.ts";
import { backupAdmin } from "./backup/admin.ts";
import { requesterIn } from "./backup/requester.ts";
import { deviceAdmin } from "./devices/admin.ts";
import { doctorAdmin } from "./doctor/admin.ts";
import { forgetEgress } from "./egress/outbound.ts";
import { bindingMs, type TenantEnv } from "./env.ts";
import { fileAdmin } from "./files/admin.ts";
import { cutResponse } from "./gateway/last-cut.ts";
import { proxyToGateway } from "./gateway/proxy.ts";
import { ReadyMark } from "./gateway/ready-mark.ts";
import { UserTickets } from "./gateway/tickets/user-tickets.ts";
import { modeOf } from "./health/check.ts";
import { inboxAdmin } from "./inbox/admin.ts";
import { refuseCaller } from "./metrics/caller.ts";
import { counterOf, receiveFromContainer } from "./metrics/egress.ts";
import { jsonEncoding } from "./metrics/otlp-encoding.ts";
import { receiveMetrics } from "./metrics/receive-metrics.ts";
import { forgetKeys } from "./model-calls/own-keys/own-keys.ts";
import { sandboxOf } from "./sandbox/sandbox.ts";
import { supervisorOf } from "./supervisor-calls.ts";

export { Outbound } from "./egress/outbound.ts";
export { Egress } from "./metrics/egress.ts";
export { ModelCalls } from "./model-calls/entrypoint.ts";
export { Sandbox } from "./sandbox/object.ts";
export { Supervisor } from "./supervisor.ts";

type Call = Context<{ Bindings: TenantEnv }>;

const LOG_LINES = 200;
const OTLP_PATH = "/api/otel/v1/metrics";
const UNCACHED = { "cache-control": "no-store" };

const app = new Hono<{ Bindings: TenantEnv }>();

// An isolate serves one tenant. Nothing here may hold a stub, since a stub belongs to one request.
const readyMark = new ReadyMark();
let userTickets: UserTickets | undefined;

const admittedAtOf = ({ req }: Call) => timeIn(req.raw.headers, ADMITTED_AT_HEADER);

function proxy({ req, env }: Call): Promise<Response> {
  userTickets ??= new UserTickets({ tenant: env.TENANT_SLUG });
  const tickets = userTickets;
  return proxyToGateway(req.raw, {
    sandbox: sandboxOf(env),
    readyMark,
    admit: (admittedAt) => supervisorOf(env).admit(admittedAt),
    token: env.GATEWAY_TOKEN,
    ticketOf: (email, role) => tickets.get({ email, role }, () => supervisorOf(env).ticketKey()),
    timeoutMs: bindingMs("GATEWAY_ANSWER_SECONDS", env.GATEWAY_ANSWER_SECONDS),
  });
}

function isAdministrator({ req }: Call): boolean {
  const caller = role.safeParse(req.header(ROLE_HEADER));
  return caller.success && caller.data !== "BASE_USER";
}

async function sendSnapshot(c: Call): Promise<Response> {
  const snapshot = supervisorOf(c.env).snapshot(modeOf(c.req.url), admittedAtOf(c), isAdministrator(c));
  return c.json(await snapshot, 200, UNCACHED);
}

function openStream(c: Call): Response | Promise<Response> {
  if (c.req.header("upgrade")?.toLowerCase() !== "websocket")
    return errorResponse(workerErrors.health_stream_needs_websocket);
  return supervisorOf(c.env).fetch(c.req.raw);
}

async function restart(c: Call): Promise<Response> {
  readyMark.clear();
  await supervisorOf(c.env).restart();
  return c.json({ restarting: true }, 202, UNCACHED);
}

async function sleep(c: Call): Promise<Response> {
  const text = await c.req.text();
  const order = jsonOf(sleepOrder).safeParse(text === "" ? "{}" : text);
  if (!order.success) return errorResponse(workerErrors.order_invalid, { fields: "wakeAfterSeconds" });
  const { wakeAfterSeconds } = order.data;
  readyMark.clear();
  const outcome = await supervisorOf(c.env).sleep(wakeAfterSeconds && wakeAfterSeconds * 1_000);
  return "refused" in outcome ? statedResponse(outcome.refused) : c.json<SleepAnswered>(outcome, 200, UNCACHED);
}

async function receiveExport(c: Call): Promise<Response> {
  const refusal = await refuseCaller(c.req.raw, c.env.GATEWAY_TOKEN);
  return refusal ?? receiveMetrics(c.req.raw, [jsonEncoding], counterOf(c.env));
}

async function backUp(c: Call): Promise<Response> {
  try {
    const by = requesterIn(c.req.raw.headers);
    const origin: BackupOrigin = by === undefined ? { reason: "before_stop" } : { reason: "requested", ...by };
    const outcome = await supervisorOf(c.env).backUp(true, origin);
    if ("manifest" in outcome) return Response.json(outcome.manifest, { headers: UNCACHED });
    return outcome.empty ? new Response(null, { status: 204 }) : statedResponse(outcome.refused);
  } catch (error) {
    log("error", "ordered-backup.failed", { message: String(error) });
    return errorResponse(backupErrors.backup_failed);
  }
}

/** Answers an order of the dispatch Worker with 204, or with 400 when its body does not match `schema`. */
const handleOrder =
  <T>(schema: z.ZodType<T>, fields: string, handle: (c: Call, order: T) => Promise<unknown>) =>
  async (c: Call): Promise<Response> => {
    const order = schema.safeParse(await c.req.json().catch(() => undefined));
    if (!order.success) return errorResponse(workerErrors.order_invalid, { fields });
    await handle(c, order.data);
    return new Response(null, { status: 204 });
  };

app.use("/api/admin/*", async (c, next) => {
  if (!isAdministrator(c)) return errorResponse(workerErrors.administration_requires_admin);
  const admittedAt = admittedAtOf(c);
  const cutAt = admittedAt === undefined ? undefined : await supervisorOf(c.env).cutAfter(admittedAt);
  return cutAt === undefined ? next() : cutResponse(cutAt);
});

app.get("/api/health", sendSnapshot);
app.get("/api/status", sendSnapshot);
app.get("/api/health/ws", openStream);
app.get("/api/admin/gateway/status/polling", sendSnapshot);
app.get("/api/admin/gateway/status/ws", openStream);
app.get("/api/admin/gateway/log", async (c) =>
  c.json({ lines: await supervisorOf(c.env).log(LOG_LINES) }, 200, UNCACHED),
);
app.get("/api/admin/gateway/status", async (c) => c.json(await supervisorOf(c.env).status(), 200, UNCACHED));
app.post("/api/admin/gateway/restart", restart);
app.post(SLEEP_PATH, sleep);
app.route("/", backupAdmin);
app.route("/", fileAdmin);
app.route("/", deviceAdmin);
app.route("/", doctorAdmin);

app.post(BACKUP_PATH, backUp);
app.post(
  CUT_PATH,
  handleOrder(cutOrder, "routable", (c, { routable }) => {
    readyMark.clear();
    return supervisorOf(c.env).cut(routable);
  }),
);
app.post(
  TICK_PATH,
  handleOrder(tick, "scheduledTime", (c, { scheduledTime }) => supervisorOf(c.env).tick(scheduledTime)),
);
app.post(
  AI_USAGE_PATH,
  handleOrder(aiUsageOrder, "queries", (c, { queries }) => supervisorOf(c.env).countAiQueries(queries)),
);

app.put(
  CHANNELS_PATH,
  handleOrder(channelsOrder, "channels", (c, order) => supervisorOf(c.env).setChannels(order)),
);
app.put(
  PROVIDER_KEYS_PATH,
  handleOrder(providerKeysOrder, "keys", async (c, order) => {
    await supervisorOf(c.env).setProviderKeys(order);
    forgetKeys();
  }),
);
app.put(
  SPENDING_CAP_PATH,
  handleOrder(spendingCapOrder, "cap, days", async (c, order) => {
    await supervisorOf(c.env).setSpendingCap(order);
    forgetKeys();
  }),
);
app.get(PROVIDER_KEYS_PATH, async (c) =>
  c.json<ProviderKeysReport>({ keys: await supervisorOf(c.env).reportProviderKeys() }, 200, UNCACHED),
);
app.put(
  EGRESS_PATH,
  handleOrder(egressOrder, "revision, layers, secrets", async (c, order) => {
    await supervisorOf(c.env).setEgress(order);
    forgetEgress();
  }),
);
app.get(EGRESS_PATH, async (c) => c.json<EgressReport>(await supervisorOf(c.env).reportEgress(), 200, UNCACHED));
app.route("/", inboxAdmin);

app.post(OTLP_PATH, receiveExport);
app.post(METRICS_PATH, (c) => receiveFromContainer(c.req.raw, c.env));

for (const path of [
  "/api/health",
  "/api/status",
  "/api/health/ws",
  "/api/admin/gateway/status",
  "/api/admin/gateway/restart",
  SLEEP_PATH,
  OTLP_PATH,
])
  app.all(path, (c) => errorResponse(workerErrors.method_not_supported, { path, method: c.req.method }));
app.all("/api/otel/*", () => errorResponse(workerErrors.metrics_path_not_found));
app.all(`${INTERNAL_PATH_PREFIX}/*`, () => errorResponse(workerErrors.internal_path_not_found));
app.all("/api/admin/gateway/*", () => errorResponse(workerErrors.administration_path_not_found));

app.all("*", proxy);

app.onError((error) => {
  const id = crypto.randomUUID();
  log("error", "request.failed", { id, message: String(error) });
  if (isInterrupted(error))
    return errorResponse(workerErrors.call_interrupted, {}, { headers: { "retry-after": "2" } });
  return errorResponse(workerErrors.tenant_worker_error, {}, { details: { id } });
});

export default app;
