/** What administrators see of a tenant's backups and do with them. The caller's role is checked before. */
import { type Context, Hono } from "hono";
import { errorResponse } from "#workers/contracts/errors.ts";
import { restoreOrder } from "#workers/contracts/tenant/backup.ts";
import type { TenantEnv } from "../env.ts";
import { supervisorOf } from "../supervisor-calls.ts";
import { download, noSuchBackup } from "./download.ts";
import type { BackupOutcome } from "./outcome.ts";

type Call = Context<{ Bindings: TenantEnv }>;

const UNCACHED = { "cache-control": "no-store" };

function made(c: Call, outcome: BackupOutcome): Response {
  return "refused" in outcome ? errorResponse("conflict", outcome.refused) : c.json(outcome.manifest, 201, UNCACHED);
}

async function restore(c: Call): Promise<Response> {
  const order = restoreOrder.safeParse(await c.req.json().catch(() => undefined));
  if (!order.success)
    return errorResponse("invalid_request", 'Send { "backup": id }, with an id of /api/admin/gateway/backups.');
  const outcome = await supervisorOf(c.env).restoreBackup(order.data);
  if ("restored" in outcome) return c.json(outcome, 200, UNCACHED);
  if (outcome.missing) return noSuchBackup();
  return errorResponse("conflict", outcome.refused);
}

export const backupAdmin = new Hono<{ Bindings: TenantEnv }>()
  .basePath("/api/admin/gateway")
  .get("/backups", async (c) => c.json(await supervisorOf(c.env).backups(), 200, UNCACHED))
  .get("/backups/:id", (c) => download(c.req.param("id"), c.env))
  .post("/backup", async (c) => made(c, await supervisorOf(c.env).backUp()))
  .post("/backup/accept", async (c) => made(c, await supervisorOf(c.env).acceptState()))
  .post("/restore", restore);

for (const path of ["/backups", "/backups/:id", "/backup", "/backup/accept", "/restore"])
  backupAdmin.all(path, (c) =>
    errorResponse("method_not_allowed", `${c.req.method} is not a method of ${c.req.path}.`),
  );
