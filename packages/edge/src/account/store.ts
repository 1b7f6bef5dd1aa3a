/** The Cloudflare account on disk: records in SQLite, modules and files as content-addressed blobs. Writes are durable on return. */
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

  /** @param directory of `account.sqlite` and `blobs/`; created if missing */
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

  /** Returns all records of a kind, oldest first. */
  list<K extends RecordKind>(kind: K): Records[K][] {
    const rows = this.#database.prepare("select body from records where kind = ? order by seq").all(kind);
    return rows.map((row) => JSON.parse(row.body as string) as Records[K]);
  }

  /** Returns the number of records by kind, without empty kinds. */
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

  /** @returns whether the record existed */
  delete(kind: RecordKind, id: string): boolean {
    const { changes } = this.#database.prepare("delete from records where kind = ? and id = ?").run(kind, id);
    if (changes > 0) this.#announce({ kind, id, operation: "delete" });
    return changes > 0;
  }

  /** Returns the SHA-256, in hex, of the account. @param identityOnly kinds of which only ids are hashed */
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

  /** @returns the SHA-256, the key for {@link readBlob} */
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

  /** Folder of blobs, named by SHA-256. */
  get blobDirectory(): string {
    return this.#blobs;
  }

  /** Deletes all other blobs. Not safe during writes. */
  keepBlobs(kept: ReadonlySet<string>): void {
    for (const name of readdirSync(this.#blobs)) if (!kept.has(name)) rmSync(join(this.#blobs, name));
  }

  /** Calls `listener` synchronously after every write. @returns a function that unsubscribes */
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
