/** The tenant Worker: health, administration, and the way to the gateway. */

import { type Context, Hono } from "hono";
import { errorResponse } from "#workers/contracts/errors.ts";
import { ROLE_HEADER } from "#workers/contracts/platform-headers.ts";
import { role } from "#workers/contracts/roles.ts";
import { AI_USAGE_PATH, aiUsageOrder } from "#workers/contracts/tenant/ai-usage.ts";
import {
  BACKUP_PATH,
  CUT_PATH,
  cutOrder,
  INTERNAL_PATH_PREFIX,
  METRICS_PATH,
  TICK_PATH,
} from "#workers/contracts/tenant/internal.ts";
import { log } from "#workers/shared/log.ts";
import { backupAdmin } from "./backup/admin.ts";
import { answerBackupOrder } from "./backup/order.ts";
import { bindingMs, type TenantEnv } from "./env.ts";
import { GatewayProxy } from "./gateway/proxy.ts";
import { ReadyMark } from "./gateway/ready-mark.ts";
import { UserTickets } from "./gateway/tickets/user-tickets.ts";
import { modeOf } from "./health/check.ts";
import { refuseCaller } from "./metrics/caller.ts";
import { counterOf, receiveFromWithin } from "./metrics/egress.ts";
import { jsonEncoding } from "./metrics/otlp-encoding.ts";
import { receiveMetrics } from "./metrics/receive-metrics.ts";
import { sandboxOf } from "./sandbox/cloudflare.ts";
import { supervisorOf } from "./supervisor-calls.ts";
import { answerTick } from "./tick.ts";

export { Egress } from "./metrics/egress.ts";
export { ModelCalls } from "./model-calls/entrypoint.ts";
export { Sandbox } from "./sandbox/object.ts";
export { Supervisor } from "./supervisor.ts";

type Call = Context<{ Bindings: TenantEnv }>;

const LOG_LINES = 200;
const OTLP_PATH = "/api/otel/v1/metrics";

const app = new Hono<{ Bindings: TenantEnv }>();

/** One an isolate: an isolate serves one tenant. Stubs are of one request, so nothing that holds one may stand here. */
const readyMark = new ReadyMark();
let userTickets: UserTickets | undefined;

function ticketsOf(env: TenantEnv): UserTickets {
  userTickets ??= new UserTickets({ tenant: env.TENANT_SLUG });
  return userTickets;
}

function proxyOf(env: TenantEnv): GatewayProxy {
  return new GatewayProxy({
    sandbox: sandboxOf(env),
    readyMark,
    admit: () => supervisorOf(env).admit(),
    token: env.GATEWAY_TOKEN,
    ticketOf: (email, role) => ticketsOf(env).of({ email, role }, () => supervisorOf(env).ticketKey()),
    answerMs: bindingMs("GATEWAY_ANSWER_SECONDS", env.GATEWAY_ANSWER_SECONDS),
  });
}

async function snapshot(c: Call): Promise<Response> {
  return c.json(await supervisorOf(c.env).snapshot(modeOf(c.req.url)), 200, { "cache-control": "no-store" });
}

function stream(c: Call): Response | Promise<Response> {
  if (c.req.header("upgrade")?.toLowerCase() !== "websocket")
    return errorResponse("invalid_request", "Open this path as a WebSocket, or poll /api/health.");
  return supervisorOf(c.env).fetch(c.req.raw);
}

async function restart(c: Call): Promise<Response> {
  readyMark.forget();
  await supervisorOf(c.env).restart();
  return c.json({ restarting: true }, 202, { "cache-control": "no-store" });
}

async function receiveExport(c: Call): Promise<Response> {
  const refusal = await refuseCaller(c.req.raw, c.env.GATEWAY_TOKEN);
  return refusal ?? receiveMetrics(c.req.raw, [jsonEncoding], counterOf(c.env));
}

async function receiveQueries(c: Call): Promise<Response> {
  const order = aiUsageOrder.safeParse(await c.req.json().catch(() => undefined));
  if (!order.success) return errorResponse("invalid_request", "Send { queries } as JSON.");
  await supervisorOf(c.env).countAiQueries(order.data.queries);
  return new Response(null, { status: 204 });
}

async function cut(c: Call): Promise<Response> {
  const order = cutOrder.safeParse(await c.req.json().catch(() => undefined));
  if (!order.success) return errorResponse("invalid_request", "Send { routable } as JSON.");
  readyMark.forget();
  await supervisorOf(c.env).cut(order.data.routable);
  return new Response(null, { status: 204 });
}

app.use("/api/admin/*", async (c, next) => {
  const caller = role.safeParse(c.req.header(ROLE_HEADER));
  if (!caller.success || caller.data === "BASE_USER")
    return errorResponse("forbidden", "This path needs the role ADMIN or ROOT; ask an administrator of this tenant.");
  return next();
});

app.get("/api/health", snapshot);
app.get("/api/status", snapshot);
app.get("/api/health/ws", stream);
app.get("/api/admin/gateway/status/polling", snapshot);
app.get("/api/admin/gateway/status/ws", stream);
app.get("/api/admin/gateway/log", async (c) =>
  c.json({ lines: await supervisorOf(c.env).log(LOG_LINES) }, 200, { "cache-control": "no-store" }),
);
app.get("/api/admin/gateway/status", async (c) =>
  c.json(await supervisorOf(c.env).status(), 200, { "cache-control": "no-store" }),
);
app.post("/api/admin/gateway/restart", restart);
app.route("/", backupAdmin);
app.post(BACKUP_PATH, (c) => answerBackupOrder(() => supervisorOf(c.env).backUp("anew")));
app.post(CUT_PATH, cut);
app.post(TICK_PATH, (c) => answerTick(c.req.raw, (time) => supervisorOf(c.env).tick(time)));

app.post(AI_USAGE_PATH, receiveQueries);

app.post(OTLP_PATH, receiveExport);
app.post(METRICS_PATH, (c) => receiveFromWithin(c.req.raw, c.env));

for (const path of [
  "/api/health",
  "/api/status",
  "/api/health/ws",
  "/api/admin/gateway/status",
  "/api/admin/gateway/restart",
  OTLP_PATH,
])
  app.all(path, (c) => errorResponse("method_not_allowed", `${c.req.method} is not a method of ${path}.`));
app.all("/api/otel/*", () => errorResponse("not_found", "Metrics alone are taken: POST /api/otel/v1/metrics."));
app.all(`${INTERNAL_PATH_PREFIX}/*`, () => errorResponse("not_found", "The tenant Worker has no such path."));
app.all("/api/admin/gateway/*", () => errorResponse("not_found", "The tenant Worker has no such administration path."));

app.all("*", (c) => proxyOf(c.env).fetch(c.req.raw));

app.onError((error) => {
  const id = crypto.randomUUID();
  log("error", "request.failed", { id, message: String(error) });
  return errorResponse("internal", "The tenant Worker failed.", { details: { id } });
});

export default app;
