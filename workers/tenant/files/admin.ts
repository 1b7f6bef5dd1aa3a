/** Routes for administrators to read and edit files of the state. The caller's role is checked before. */
import { type Context, Hono } from "hono";
import { workerErrors } from "#domain/errors/tenants/worker.ts";
import { errorResponse, statedResponse } from "#workers/contracts/errors.ts";
import { changesPath } from "#workers/contracts/tenant/backup.ts";
import { FILE_DOWNLOAD_PATH, FILE_PATH, FILES_PATH, fileOrder, fileQuery } from "#workers/contracts/tenant/files.ts";
import { bytesOfBase64 } from "#workers/shared/base64.ts";
import { backupNotFound } from "../backup/download.ts";
import type { TenantEnv } from "../env.ts";
import { supervisorOf } from "../supervisor-calls.ts";
import type { Refusable } from "./state-files.ts";

type Call = Context<{ Bindings: TenantEnv }>;

const UNCACHED = { "cache-control": "no-store" };

const send = <T extends object>(c: Call, outcome: Refusable<T>): Response =>
  "refused" in outcome ? statedResponse(outcome.refused) : c.json(outcome, 200, UNCACHED);

const pathOf = (c: Call): string | undefined => fileQuery.safeParse(c.req.query()).data?.path;

const invalid = (fields: string): Response => errorResponse(workerErrors.order_invalid, { fields });

async function list(c: Call): Promise<Response> {
  const path = pathOf(c);
  return path === undefined ? invalid("path") : send(c, await supervisorOf(c.env).listFiles(path));
}

async function read(c: Call): Promise<Response> {
  const path = pathOf(c);
  return path === undefined ? invalid("path") : send(c, await supervisorOf(c.env).readTextFile(path));
}

async function download(c: Call): Promise<Response> {
  const path = pathOf(c);
  if (path === undefined) return invalid("path");
  const outcome = await supervisorOf(c.env).downloadFile(path);
  if ("refused" in outcome) return statedResponse(outcome.refused);
  const name = encodeURIComponent(path.split("/").at(-1) ?? "file");
  return new Response(bytesOfBase64(outcome.content), {
    headers: {
      ...UNCACHED,
      // Never shown by a browser as a page of the tenant's host.
      "content-type": "application/octet-stream",
      "x-content-type-options": "nosniff",
      "content-disposition": `attachment; filename*=UTF-8''${name}`,
    },
  });
}

async function write(c: Call): Promise<Response> {
  const order = fileOrder.safeParse(await c.req.json().catch(() => undefined));
  return order.success ? send(c, await supervisorOf(c.env).writeFile(order.data)) : invalid("path, text, hash");
}

/** What a restore of a backup would lose. */
async function changes(c: Call): Promise<Response> {
  const id = c.req.param("id");
  const { backups } = await supervisorOf(c.env).backups();
  const found = backups.find((backup) => backup.id === id);
  return found === undefined ? backupNotFound() : send(c, await supervisorOf(c.env).changedFiles(found.createdAt));
}

export const fileAdmin = new Hono<{ Bindings: TenantEnv }>()
  .get(FILES_PATH, list)
  .get(FILE_PATH, read)
  .put(FILE_PATH, write)
  .get(FILE_DOWNLOAD_PATH, download)
  .get(changesPath(":id"), changes);

for (const path of [FILES_PATH, FILE_PATH, FILE_DOWNLOAD_PATH, changesPath(":id")])
  fileAdmin.all(path, (c) =>
    errorResponse(workerErrors.method_not_supported, { path: c.req.path, method: c.req.method }),
  );
