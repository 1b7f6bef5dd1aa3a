/**
 * The local Cloudflare account on disk: records by kind and id in SQLite, script modules and files as content-addressed blobs.
 * Writes are durable when the call returns; readers hear of each through {@link Store.onChange}.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { RecordKind, Records } from "./records.ts";

export interface Change {
  kind: RecordKind;
  id: string;
  operation: "put" | "delete";
}

export class Store {
  readonly #database: DatabaseSync;
  readonly #blobs: string;
  readonly #listeners = new Set<(change: Change) => void>();

  /** @param directory where `account.sqlite` and `blobs/` lie; made if missing */
  constructor(directory: string) {
    this.#blobs = join(directory, "blobs");
    mkdirSync(this.#blobs, { recursive: true, mode: 0o700 });
    this.#database = new DatabaseSync(join(directory, "account.sqlite"));
    this.#database.exec(`
      pragma journal_mode = wal;
      create table if not exists records (
        seq integer primary key autoincrement,
        kind text not null,
        id text not null,
        body text not null,
        unique (kind, id)
      );
    `);
  }

  get<K extends RecordKind>(kind: K, id: string): Records[K] | undefined {
    const row = this.#database.prepare("select body from records where kind = ? and id = ?").get(kind, id);
    return row === undefined ? undefined : (JSON.parse(row.body as string) as Records[K]);
  }

  /** All records of a kind, oldest first. */
  list<K extends RecordKind>(kind: K): Records[K][] {
    const rows = this.#database.prepare("select body from records where kind = ? order by seq").all(kind);
    return rows.map((row) => JSON.parse(row.body as string) as Records[K]);
  }

  /** How many records of each kind there are; kinds without any are left out. */
  counts(): Partial<Record<RecordKind, number>> {
    const rows = this.#database.prepare("select kind, count(*) as count from records group by kind").all();
    return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]));
  }

  put<K extends RecordKind>(kind: K, record: Records[K]): void {
    this.#database
      .prepare(
        "insert into records (kind, id, body) values (?, ?, ?) on conflict (kind, id) do update set body = excluded.body",
      )
      .run(kind, record.id, JSON.stringify(record));
    this.#announce({ kind, id: record.id, operation: "put" });
  }

  /** @returns whether there was such a record */
  delete(kind: RecordKind, id: string): boolean {
    const { changes } = this.#database.prepare("delete from records where kind = ? and id = ?").run(kind, id);
    if (changes > 0) this.#announce({ kind, id, operation: "delete" });
    return changes > 0;
  }

  /**
   * SHA-256 in hex over the whole account, the same as long as nothing is written that differs.
   *
   * @param identityOnly kinds of which only the ids count
   */
  digest(identityOnly: readonly RecordKind[] = []): string {
    const hash = createHash("sha256");
    for (const { kind, id, body } of this.#database
      .prepare("select kind, id, body from records order by kind, id")
      .iterate()) {
      const counted = identityOnly.some((other) => other === kind) ? "" : body;
      hash.update(JSON.stringify([kind, id, counted]));
    }
    return hash.digest("hex");
  }

  /** @returns the SHA-256 under which {@link readBlob} finds `bytes` */
  writeBlob(bytes: Uint8Array): string {
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const path = join(this.#blobs, sha256);
    if (!existsSync(path)) {
      writeFileSync(`${path}.${process.pid}`, bytes, { mode: 0o600 });
      renameSync(`${path}.${process.pid}`, path);
    }
    return sha256;
  }

  readBlob(sha256: string): Buffer {
    return readFileSync(join(this.#blobs, sha256));
  }

  /** Where blobs lie, each under its SHA-256. */
  get blobDirectory(): string {
    return this.#blobs;
  }

  /** Removes every blob but those in `kept`. None may be written meanwhile. */
  keepBlobs(kept: ReadonlySet<string>): void {
    for (const name of readdirSync(this.#blobs)) if (!kept.has(name)) rmSync(join(this.#blobs, name));
  }

  /** Calls `listener` after every write, synchronously. @returns a function that ends it */
  onChange(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#database.close();
  }

  #announce(change: Change): void {
    for (const listener of this.#listeners) listener(change);
  }
}
