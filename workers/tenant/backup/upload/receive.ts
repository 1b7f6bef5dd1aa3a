/** Receives a backup that a person uploads, without waking the sandbox. It is listed only when all of it was checked. */
import { backupErrors } from "#domain/errors/tenants/backups.ts";
import { errorResponse } from "#workers/contracts/errors.ts";
import { type BackupOwner, MAX_UPLOAD_BYTES, MAX_UPLOADS, type Requester } from "#workers/contracts/tenant/backup.ts";
import type { ArchiveInfo, GatewayVersion } from "#workers/contracts/tenant/sandbox.ts";
import { hex } from "#workers/shared/hex.ts";
import { ageOf } from "../../container/state/version-order.mjs";
import { DamagedArchive } from "../../container/tar.mjs";
import type { TenantEnv } from "../../env.ts";
import { supervisorOf } from "../../supervisor-calls.ts";
import { BackupStore } from "../stored/store.ts";
import { checkArchive } from "./archive-check.ts";

/** A chunk of this size expands to at most a thousand times as much at once. */
const SLICE_BYTES = 4096;
const DRAIN_MS = 30_000;

/** A newer gateway than the image's wrote the state. */
class TooNew extends Error {
  override name = "TooNew";
  readonly state: string;
  readonly image: string;

  constructor(state: GatewayVersion, image: GatewayVersion) {
    super("The state is newer than the image.");
    this.state = `${state.name} ${state.version}`;
    this.image = `${image.name} ${image.version}`;
  }
}

/** The request ended early. */
class Incomplete extends Error {
  override name = "Incomplete";
}

/** @param by the person */
export async function receiveUpload(request: Request, env: TenantEnv, by: Requester | undefined): Promise<Response> {
  const size = Number(request.headers.get("content-length") ?? Number.NaN);
  if (request.body === null || !(size > 0)) return errorResponse(backupErrors.upload_without_length);
  if (size > MAX_UPLOAD_BYTES) return errorResponse(backupErrors.upload_too_large, { bytes: MAX_UPLOAD_BYTES });
  const owner: BackupOwner = { tenant: env.TENANT_SLUG, environment: env.ENVIRONMENT };
  const store = new BackupStore(env.BACKUP_BUCKET, owner);
  const { uploaded } = await store.list();
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  try {
    if (uploaded.length >= MAX_UPLOADS) return errorResponse(backupErrors.uploads_full, { most: MAX_UPLOADS });
    const image = await supervisorOf(env).lastImage();
    const fixed = new FixedLengthStream(size);
    const check = async (): Promise<ArchiveInfo> => {
      const archive = await passOn(reader, fixed.writable, size);
      const { gateway } = archive;
      if (gateway && image && ageOf(gateway, image) === "newer") throw new TooNew(gateway, image);
      return archive;
    };
    const manifest = await store.writeUpload(fixed.readable, check, by);
    return Response.json(manifest, { status: 201, headers: { "cache-control": "no-store" } });
  } catch (error) {
    if (error instanceof DamagedArchive) return errorResponse(backupErrors.upload_invalid, { fault: error.message });
    if (error instanceof Incomplete) return errorResponse(backupErrors.upload_incomplete);
    if (error instanceof TooNew)
      return errorResponse(backupErrors.upload_too_new, { state: error.state, image: error.image });
    throw error;
  } finally {
    // A client that still sends would not receive the response.
    await drain(reader);
  }
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const until = Date.now() + DRAIN_MS;
  try {
    while (Date.now() < until) if ((await reader.read()).done) return;
    await reader.cancel();
  } catch {
    // The client has gone.
  }
}

/** Passes the bytes on, and checks them meanwhile. @throws DamagedArchive, Incomplete */
async function passOn(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  to: WritableStream<Uint8Array>,
  size: number,
): Promise<ArchiveInfo> {
  const writer = to.getWriter();
  const digest = new crypto.DigestStream("SHA-256");
  const digester = digest.getWriter();
  const gunzip = new DecompressionStream("gzip");
  const unpacking = gunzip.writable.getWriter();
  const checked = checkArchive(readableChunks(gunzip.readable), size);
  const failed = checked.then(() => new Promise<never>(() => {}));
  failed.catch(() => {});
  try {
    let received = 0;
    // The bucket gets the last chunk after the check. Without it, it stores nothing.
    let held: Uint8Array | undefined;
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        throw new Incomplete();
      });
      if (done) break;
      received += value.byteLength;
      await Promise.all([held && writer.write(held), digester.write(value)]);
      held = value;
      for (let at = 0; at < value.byteLength; at += SLICE_BYTES)
        await Promise.race([failed, unpacking.write(value.subarray(at, at + SLICE_BYTES)).catch(() => failed)]);
    }
    if (received !== size) throw new Incomplete();
    await Promise.race([failed, unpacking.close().catch(() => failed)]);
    const content = await checked;
    if (held !== undefined) await writer.write(held);
    await Promise.all([writer.close(), digester.close()]);
    return { ...content, size, sha256: hex(await digest.digest) };
  } catch (error) {
    await Promise.allSettled([writer.abort(error), digester.abort(error), unpacking.abort(error)]);
    throw error;
  }
}

/** @throws DamagedArchive when the bytes are no gzip, or end early */
async function* readableChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new DamagedArchive("the file is no complete gzip archive");
    });
    if (done) return;
    yield value;
  }
}
