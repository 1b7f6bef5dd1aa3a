/**
 * Checks the content of an archive of `backup.mjs` that a person uploaded, as `restore.mjs` unpacks it: a restore of an accepted archive fails only
 * for reasons of the container. Expansion is bounded.
 */
import { type ArchiveInfo, gatewayVersion, STATE_MARKER_FILE, stateMarker } from "#workers/contracts/tenant/sandbox.ts";
import { DamagedArchive, readTar, type TarEntry } from "../../container/tar.mjs";

const GATEWAY_RECORD = ".tenantry-gateway.json";
/** Where the container has the state. Absolute links below it stay in the state. */
const STATE_DIRECTORY = "/workspace/state/";
const MAX_ENTRIES = 100_000;
const MAX_RECORD_BYTES = 10_000;
const MAX_NAME_BYTES = 255;
const MAX_PATH_BYTES = 3_000;
/** Usual allocation unit of file systems, in bytes. */
const DISK_BLOCK = 4096;
const MAX_EXPANSION = 50;
/** Small archives may expand more. */
const MIN_UNPACKED_BYTES = 64_000_000;
const MAX_UNPACKED_BYTES = 4_000_000_000;

export type ArchiveContent = Pick<ArchiveInfo, "state" | "gateway" | "files" | "unpackedSize">;

/** Most bytes that an archive of this size may have unpacked. */
export const unpackedLimit = (size: number): number =>
  Math.min(MAX_UNPACKED_BYTES, Math.max(MIN_UNPACKED_BYTES, size * MAX_EXPANSION));

/** A path as text for a message. */
const shown = (path: string): string => JSON.stringify(Buffer.from(path, "latin1").toString("utf8").slice(0, 200));

const refuse = (fault: string): never => {
  throw new DamagedArchive(fault);
};

/** @throws DamagedArchive with the reason, in the middle of a sentence */
export async function checkArchive(
  unpacked: AsyncIterable<Uint8Array>,
  size: number,
  maxEntries = MAX_ENTRIES,
): Promise<ArchiveContent> {
  const stream = bounded(unpacked, unpackedLimit(size));
  const paths = new Paths();
  const records = new Map<string, Buffer>();
  let files = 0;
  let unpackedSize = 0;
  let count = 0;
  for await (const entry of readTar(stream)) {
    count += 1;
    if (count > maxEntries) refuse(`the archive has more than ${maxEntries} entries`);
    paths.add(entry);
    const isRecord = entry.path === STATE_MARKER_FILE || entry.path === GATEWAY_RECORD;
    if (isRecord && entry.size > MAX_RECORD_BYTES) refuse(`${shown(entry.path)} is too large`);
    const parts: Buffer[] = [];
    for await (const part of entry.content()) if (isRecord) parts.push(part);
    if (isRecord && entry.type === "file") records.set(entry.path, Buffer.concat(parts));
    // As `backup.mjs`, which does not count the records.
    if (!isRecord && (entry.type === "file" || entry.type === "hardlink")) files += 1;
    if (entry.type === "file") unpackedSize += Math.ceil(entry.size / DISK_BLOCK) * DISK_BLOCK;
    if (entry.type === "directory") unpackedSize += DISK_BLOCK;
  }
  // The decompressor checks the whole archive only at its end.
  for await (const chunk of stream) if (chunk.some((byte) => byte !== 0)) refuse("the archive has data after its end");
  const state = recordOf(records, STATE_MARKER_FILE, stateMarker)?.id;
  if (state === undefined) return refuse("the archive does not contain the state's id, so it is no backup of a tenant");
  const gateway = recordOf(records, GATEWAY_RECORD, gatewayVersion);
  return { state, files, unpackedSize, ...(gateway && { gateway }) };
}

function recordOf<T>(
  records: ReadonlyMap<string, Buffer>,
  path: string,
  schema: { safeParse(value: unknown): { data?: T | undefined } },
): T | undefined {
  try {
    return schema.safeParse(JSON.parse(records.get(path)?.toString("utf8") ?? "")).data;
  } catch {
    return undefined;
  }
}

/** One iterator for the reader of the entries and for what follows them. */
function bounded(stream: AsyncIterable<Uint8Array>, limit: number): AsyncIterable<Uint8Array> {
  const source = stream[Symbol.asyncIterator]();
  let bytes = 0;
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    const result = await source.next();
    if (result.done) return result;
    bytes += result.value.byteLength;
    if (bytes > limit) refuse(`the archive expands to more than ${limit} bytes`);
    return { done: false, value: Buffer.from(result.value.buffer, result.value.byteOffset, result.value.byteLength) };
  };
  return { [Symbol.asyncIterator]: () => ({ next }) };
}

/** The paths of an archive, which must not collide. */
class Paths {
  readonly #kinds = new Map<string, TarEntry["type"]>();

  add({ type, path, target, mode, mtime }: TarEntry): void {
    const parts = path.replace(/\/$/, "").split("/");
    if (parts.some((part) => part === "" || part === "." || part === ".." || part.includes("\0")))
      refuse(`the entry ${shown(path)} is outside the state`);
    if (path.length > MAX_PATH_BYTES || parts.some((part) => part.length > MAX_NAME_BYTES))
      refuse(`the path of ${shown(path)} is too long`);
    if (!Number.isSafeInteger(mode) || !Number.isSafeInteger(mtime))
      refuse(`the header of ${shown(path)} is malformed`);
    for (let depth = 1; depth < parts.length; depth += 1) this.#put(parts.slice(0, depth).join("/"), "directory");
    if (type === "hardlink" && this.#kinds.get(target) !== "file" && this.#kinds.get(target) !== "hardlink")
      refuse(`the link ${shown(path)} leads to a file that is not in the archive`);
    if (type === "link") requireInside(parts, target);
    this.#put(parts.join("/"), type);
  }

  #put(path: string, type: TarEntry["type"]): void {
    const before = this.#kinds.get(path);
    if (before !== undefined && (before !== "directory" || type !== "directory"))
      refuse(`the archive has two entries ${shown(path)}`);
    this.#kinds.set(path, type);
  }
}

/** @param parts path of the link */
function requireInside(parts: readonly string[], target: string): void {
  const path = shown(parts.join("/"));
  if (target === "" || target.includes("\0") || target.length > MAX_PATH_BYTES) refuse(`the link ${path} is malformed`);
  if (target.startsWith("/") && !`${target}/`.startsWith(STATE_DIRECTORY))
    refuse(`the link ${path} leads outside the state`);
  const isAbsolute = target.startsWith("/");
  let depth = isAbsolute ? 0 : parts.length - 1;
  for (const part of (isAbsolute ? target.slice(STATE_DIRECTORY.length) : target).split("/")) {
    if (part === "..") depth -= 1;
    else if (part !== "" && part !== ".") depth += 1;
    if (depth < 0) refuse(`the link ${path} leads outside the state`);
  }
}
