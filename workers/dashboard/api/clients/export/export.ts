/** Exports a client as a tar archive (docs/reference/export.md). It is written while it is read: neither a backup nor a list is in memory. */
import type { Route } from "#workers/contracts/api/route.ts";
import type { clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { EXPORT_FORMAT, type ExportManifest } from "#workers/contracts/api/tenants/export.ts";
import { bytesOfBase64 } from "#workers/shared/base64.ts";
import { hex } from "#workers/shared/hex.ts";
import { log, reasonOf } from "#workers/shared/log.ts";
import type { Call, Handler } from "../../../http/serve.ts";
import { tenantView } from "../../../identity/tenant-view.ts";
import { TenantOrders } from "../../../tenants/tenant-orders.ts";
import { sendClientEvent } from "../../events.ts";
import { requireClient } from "../../required.ts";
import { clientBody } from "../body.ts";
import { readSection, sectionsOf } from "./sections.ts";
import { tarEnd, tarHeader, tarPadding } from "./tar.ts";

/** A list is divided into files of about this size. */
const PART_BYTES = 1024 * 1024;
const STATE = "state/backup.tar.gz";

type Contents = ExportManifest["contents"];

interface Backup {
  id: string;
  createdAt: string;
  bytes: number;
}

export const exportClient: Handler<typeof clientRoutes.exportClient> = async (call) => {
  const { db, settings, params, caller, release } = call;
  const found = await requireClient(db, settings.ENVIRONMENT, params.client_id);
  const who = await caller;
  await sendClientEvent(db, found, { change: "exported", caller: who });
  await release();
  const orders = new TenantOrders(settings);
  const backup = found.instance === null ? undefined : (await orders.backups(found.slug)).backups.at(0);
  const at = new Date();

  async function* files(): AsyncGenerator<Uint8Array> {
    const contents: Contents = [];
    const body = JSON.parse(JSON.stringify(clientBody(found)));
    yield* file(
      "configuration/client.json",
      jsonBytes(who.tenant === undefined ? body : tenantView(body, who)),
      contents,
    );
    for (const section of sectionsOf(found, who.tenant !== undefined)) {
      yield* sectionFiles(section.path, readSection(section, call as unknown as Call<Route>), contents);
    }
    if (backup !== undefined) yield* state(backup, contents);
    const manifest: ExportManifest = {
      format: EXPORT_FORMAT,
      client: { id: found.id, slug: found.slug, name: found.name },
      environment: settings.ENVIRONMENT,
      exported_at: at.toISOString(),
      exported_by: who.email,
      state: backup === undefined ? null : { file: STATE, backup_id: backup.id, created_at: backup.createdAt },
      contents,
    };
    const bytes = jsonBytes(manifest);
    yield tarHeader("manifest.json", bytes.length, at);
    yield bytes;
    yield tarPadding(bytes.length);
    yield tarEnd();
  }

  async function* file(path: string, bytes: Uint8Array<ArrayBuffer>, contents: Contents): AsyncGenerator<Uint8Array> {
    contents.push({ path, bytes: bytes.length, sha256: hex(await crypto.subtle.digest("SHA-256", bytes)) });
    yield tarHeader(path, bytes.length, at);
    yield bytes;
    yield tarPadding(bytes.length);
  }

  async function* sectionFiles(
    path: string,
    pages: ReturnType<typeof readSection>,
    contents: Contents,
  ): AsyncGenerator<Uint8Array> {
    let lines = "";
    let part = 0;
    for await (const page of pages) {
      if ("object" in page) return yield* file(`${path}.json`, jsonBytes(page.object), contents);
      for (const entry of page.entries) lines += `${JSON.stringify(entry)}\n`;
      if (lines.length < PART_BYTES) continue;
      yield* file(partPath(path, ++part), bytesOf(lines), contents);
      lines = "";
    }
    if (lines !== "" || part === 0) yield* file(partPath(path, ++part), bytesOf(lines), contents);
  }

  /** The archive is copied as it is: its bucket knows its size and hash. */
  async function* state({ id, bytes }: Backup, contents: Contents): AsyncGenerator<Uint8Array> {
    const response = await orders.backup(found.slug, id);
    const [, digest] = /^sha-256=:(.+):$/.exec(response.headers.get("repr-digest") ?? "") ?? [];
    contents.push({ path: STATE, bytes, sha256: digest === undefined ? null : hex(bytesOfBase64(digest).buffer) });
    yield tarHeader(STATE, bytes, at);
    let read = 0;
    for await (const chunk of response.body ?? []) {
      read += chunk.length;
      yield chunk;
    }
    if (read !== bytes) throw new Error(`the backup ${id} ended after ${read} of ${bytes} bytes`);
    yield tarPadding(bytes);
  }

  return new Response(streamOf(files()), {
    headers: {
      "content-type": "application/x-tar",
      "content-disposition": `attachment; filename="${found.slug}-${at.toISOString().slice(0, 10)}.tar"`,
      "cache-control": "no-store",
    },
  });
};

const bytesOf = (text: string) => new Uint8Array(new TextEncoder().encode(text));
const jsonBytes = (value: unknown) => bytesOf(`${JSON.stringify(value, null, 2)}\n`);
const partPath = (path: string, part: number) => `${path}-${String(part).padStart(4, "0")}.jsonl`;

/** An interrupted archive has no manifest. */
function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await chunks.next();
          if (done) controller.close();
          else if (value.length > 0) controller.enqueue(value);
          else await this.pull?.(controller);
        } catch (error) {
          log("error", "export.failed", { reason: reasonOf(error) });
          throw error;
        }
      },
      async cancel() {
        await chunks.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
