/** Names of what a run creates, on disk before each create, so that a later run can delete it. */
import { createHash } from "node:crypto";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { type ResourceKind, resourceKinds } from "./resources.ts";

const SUFFIX = ".jsonl";

const header = z.object({ prefix: z.string().min(1), account: z.string(), pid: z.int().positive() });
const entry = z.object({ kind: z.enum(resourceKinds), name: z.string().min(1), removed: z.boolean().default(false) });
export type JournalEntry = Pick<z.infer<typeof entry>, "kind" | "name">;

/** Identifies an account without its id. */
export const accountHash = (accountId: string): string =>
  createHash("sha256").update(accountId).digest("hex").slice(0, 16);

export class Journal {
  readonly path: string;
  readonly prefix: string;
  /** Hash of the account's id. */
  readonly account: string;
  /** Process of its run. */
  readonly pid: number;

  private constructor(path: string, { prefix, account, pid }: z.infer<typeof header>) {
    this.path = path;
    this.prefix = prefix;
    this.account = account;
    this.pid = pid;
  }

  /** @throws Error when a journal of the prefix exists */
  static create(directory: string, prefix: string, accountId: string): Journal {
    mkdirSync(directory, { recursive: true });
    const first = { prefix, account: accountHash(accountId), pid: process.pid };
    const path = join(directory, prefix + SUFFIX);
    appendFileSync(path, line(first), { flag: "ax", mode: 0o600 });
    return new Journal(path, first);
  }

  /** @throws Error when the file cannot be read or is no journal */
  static read(path: string): Journal {
    const [first = "{}"] = lines(path);
    const parsed = header.safeParse(JSON.parse(first));
    if (!parsed.success) throw new Error(`${path} is not a journal of a conformance run.`);
    return new Journal(path, parsed.data);
  }

  /** Returns the paths of a directory's journals. */
  static list(directory: string): string[] {
    try {
      return readdirSync(directory)
        .filter((name) => name.endsWith(SUFFIX))
        .map((name) => join(directory, name));
    } catch {
      return [];
    }
  }

  /** Whether its run is in progress on this machine. */
  isOpen(): boolean {
    if (this.pid === process.pid) return false;
    try {
      process.kill(this.pid, 0);
      return true;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === "EPERM";
    }
  }

  /** Whether a name is one of the run: clean-up deletes by name. */
  covers(name: string): boolean {
    return name.startsWith(`${this.prefix}-`);
  }

  add(kind: ResourceKind, name: string): void {
    appendFileSync(this.path, line({ kind, name }));
  }

  settle({ kind, name }: JournalEntry): void {
    appendFileSync(this.path, line({ kind, name, removed: true }));
  }

  /** Returns what is not removed, the newest first: later resources refer to earlier ones. */
  leftovers(): JournalEntry[] {
    const left = new Map<string, JournalEntry>();
    for (const text of lines(this.path).slice(1)) {
      const found = entryOf(text);
      if (found === undefined) continue;
      const key = `${found.kind} ${found.name}`;
      left.delete(key);
      if (!found.removed) left.set(key, { kind: found.kind, name: found.name });
    }
    return [...left.values()].toReversed();
  }

  delete(): void {
    rmSync(this.path, { force: true });
  }
}

/** A killed process may leave half a line, of a resource that it did not create yet. */
function entryOf(text: string): z.infer<typeof entry> | undefined {
  try {
    return entry.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

const line = (value: object): string => `${JSON.stringify(value)}\n`;

const lines = (path: string): string[] => readFileSync(path, "utf8").split("\n").filter(Boolean);
