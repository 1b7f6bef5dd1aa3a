/** Routes for administrators to list, create, download and restore backups. The caller's role is checked before. */
import { type Context, Hono } from "hono";
import { backupErrors } from "#domain/errors/tenants/backups.ts";
import { workerErrors } from "#domain/errors/tenants/worker.ts";
import { errorResponse, statedResponse } from "#workers/contracts/errors.ts";
import { keptOrder, restoreOrder } from "#workers/contracts/tenant/backup.ts";
import type { TenantEnv } from "../env.ts";
import { supervisorOf } from "../supervisor-calls.ts";
import { backupNotFound, download } from "./download.ts";
import type { BackupOutcome } from "./outcome.ts";
import { requesterIn } from "./requester.ts";
import { receiveUpload } from "./upload/receive.ts";

type Call = Context<{ Bindings: TenantEnv }>;

const UNCACHED = { "cache-control": "no-store" };

function sendOutcome(c: Call, outcome: BackupOutcome): Response {
  return "refused" in outcome ? statedResponse(outcome.refused) : c.json(outcome.manifest, 201, UNCACHED);
}

async function restore(c: Call): Promise<Response> {
  const order = restoreOrder.safeParse(await c.req.json().catch(() => undefined));
  if (!order.success) return errorResponse(backupErrors.restore_order_invalid);
  const outcome = await supervisorOf(c.env).restoreBackup(order.data);
  if ("restored" in outcome) return c.json(outcome, 200, UNCACHED);
  return outcome.missing ? backupNotFound() : statedResponse(outcome.refused);
}

/** Only uploaded backups can be deleted: the others are what a tenant can return to. */
async function removeUpload(c: Call): Promise<Response> {
  const id = c.req.param("id") ?? "";
  const outcome = await supervisorOf(c.env).removeUpload(id);
  if ("missing" in outcome) return backupNotFound();
  return "refused" in outcome ? statedResponse(outcome.refused) : new Response(null, { status: 204 });
}

async function keep(c: Call): Promise<Response> {
  const order = keptOrder.safeParse(await c.req.json().catch(() => undefined));
  if (!order.success) return errorResponse(workerErrors.order_invalid, { fields: "kept" });
  const outcome = await supervisorOf(c.env).keepBackup(c.req.param("id") ?? "", order.data.kept);
  if ("missing" in outcome) return backupNotFound();
  return "refused" in outcome ? statedResponse(outcome.refused) : c.json(outcome, 200, UNCACHED);
}

export const backupAdmin = new Hono<{ Bindings: TenantEnv }>()
  .basePath("/api/admin/gateway")
  .get("/backups", async (c) => c.json(await supervisorOf(c.env).backups(), 200, UNCACHED))
  .get("/backups/:id", (c) => download(c.req.param("id"), c.env))
  .put("/backups/:id/kept", keep)
  .post("/backups", (c) => receiveUpload(c.req.raw, c.env, requesterIn(c.req.raw.headers)))
  .delete("/backups/:id", removeUpload)
  .post("/backup", async (c) =>
    sendOutcome(c, await supervisorOf(c.env).backUp(false, { reason: "requested", ...requesterIn(c.req.raw.headers) })),
  )
  .post("/backup/accept", async (c) => sendOutcome(c, await supervisorOf(c.env).acceptState()))
  .post("/restore", restore);

for (const path of ["/backups", "/backups/:id", "/backups/:id/kept", "/backup", "/backup/accept", "/restore"])
  backupAdmin.all(path, (c) =>
    errorResponse(workerErrors.method_not_supported, { path: c.req.path, method: c.req.method }),
  );
