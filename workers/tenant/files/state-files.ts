/** Reads and edits files of the state directory for administrators. Neither wakes the sandbox nor follows links. */
import { type StatedError, stateError } from "#domain/errors/stated.ts";
import { backupErrors } from "#domain/errors/tenants/backups.ts";
import { fileErrors } from "#domain/errors/tenants/files.ts";
import { type ChangesSince, changesSince } from "#workers/contracts/tenant/backup.ts";
import {
  type FileList,
  type FileOrder,
  fileList,
  MAX_DOWNLOAD_BYTES,
  MAX_TEXT_BYTES,
  type ReadFile,
  readFile,
  type TextFile,
  type WrittenFile,
} from "#workers/contracts/tenant/files.ts";
import { bytesOfBase64 } from "#workers/shared/base64.ts";
import { hex } from "#workers/shared/hex.ts";
import { duringRestart, type Restart } from "../gateway/during-restart.ts";
import type { FileResult, SandboxPort } from "../sandbox/port.ts";

export type Refusable<T> = T | { refused: StatedError };

/** A restart is in progress, so that the file was not written. */
const BUSY = stateError(backupErrors.restart_in_progress);

/** Refusals by exit codes of `files.mjs`. */
const REFUSALS: Readonly<Record<number, StatedError>> = {
  64: stateError(fileErrors.file_path_invalid),
  66: stateError(fileErrors.file_not_found),
  67: stateError(fileErrors.file_is_secret),
  68: stateError(fileErrors.file_not_regular),
  71: stateError(fileErrors.file_changed),
  72: stateError(fileErrors.file_is_database),
};
const TOO_LARGE = 69;

export interface StateFilesOptions {
  sandbox: Pick<SandboxPort, "runFiles" | "writeFile">;
  /** Removes secrets from a text. */
  mask: (text: string) => string;
  restart: Restart;
  /** Waits for a backup in progress. */
  settle: () => Promise<void>;
}

export class StateFiles {
  readonly #o: StateFilesOptions;

  constructor(options: StateFilesOptions) {
    this.#o = options;
  }

  list(path: string): Promise<Refusable<FileList>> {
    return this.#run(["list", path], (text) => fileList.parse(JSON.parse(text)));
  }

  async text(path: string): Promise<Refusable<TextFile>> {
    const file = await this.#read(path, MAX_TEXT_BYTES);
    if ("refused" in file) return file;
    const { content, ...rest } = file;
    const text = decoded(bytesOfBase64(content));
    if (text === undefined) return { refused: stateError(fileErrors.file_not_text) };
    const masked = this.#o.mask(text);
    return { ...rest, text: masked, redacted: masked !== text };
  }

  /** Returns a file with its content, unless it has a secret. */
  async download(path: string): Promise<Refusable<ReadFile>> {
    const file = await this.#read(path, MAX_DOWNLOAD_BYTES);
    if ("refused" in file) return file;
    const text = Buffer.from(bytesOfBase64(file.content)).toString("latin1");
    return this.#o.mask(text) === text ? file : { refused: stateError(fileErrors.file_has_secrets) };
  }

  /** Returns the files that were changed after a time. */
  changes(since: string): Promise<Refusable<ChangesSince>> {
    return this.#run(["changed", since], (text) => changesSince.parse(JSON.parse(text)));
  }

  /** Replaces a text file while the gateway is stopped, and starts the gateway again. */
  async write({ path, text, hash }: FileOrder): Promise<Refusable<WrittenFile>> {
    const bytes = new TextEncoder().encode(text);
    if (bytes.byteLength > MAX_TEXT_BYTES) return tooLarge(MAX_TEXT_BYTES);
    // First, so that a refused change does not restart the gateway.
    const present = await this.text(path);
    if ("refused" in present) return present;
    if (present.redacted) return { refused: stateError(fileErrors.file_has_secrets) };
    if (present.hash !== hash) return { refused: stateError(fileErrors.file_changed) };
    await this.#o.settle();
    const written = await duringRestart(this.#o.restart, () => this.#o.sandbox.writeFile(path, hash, bytes));
    if (written === undefined) return { refused: BUSY };
    if (written.result !== 0) return this.#refusal(written.result, MAX_TEXT_BYTES);
    const digest = await crypto.subtle.digest("SHA-256", bytes);
    return { hash: hex(digest), bytes: bytes.byteLength };
  }

  #read(path: string, limit: number): Promise<Refusable<ReadFile>> {
    return this.#run(["read", path, String(limit)], (text) => readFile.parse(JSON.parse(text)), limit);
  }

  async #run<T>(
    parameters: readonly string[],
    parse: (text: string) => T,
    limit = MAX_DOWNLOAD_BYTES,
  ): Promise<Refusable<T>> {
    const result: FileResult = await this.#o.sandbox.runFiles(parameters);
    if (result === "asleep") return { refused: stateError(fileErrors.files_asleep) };
    if (result === "absent") return { refused: stateError(fileErrors.files_not_in_image) };
    return result.code === 0 ? parse(result.stdout) : this.#refusal(result.code, limit);
  }

  #refusal(code: number, limit: number): { refused: StatedError } {
    if (code === TOO_LARGE) return tooLarge(limit);
    const refused = REFUSALS[code];
    if (refused === undefined) throw new Error(`The container's files.mjs exited with ${code}.`);
    return { refused };
  }
}

const tooLarge = (bytes: number) => ({ refused: stateError(fileErrors.file_too_large, { bytes }) });

/** @returns `undefined` for bytes that are no text */
function decoded(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
