/** Stored messages, one private file each. The oldest are deleted above the limit. */
import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Message, parseMessage } from "./message.ts";

const MAX_MESSAGES = 500;
const ID = /^[0-9a-z]{10}-[0-9a-f]{12}$/;

export interface StoredMessage extends Message {
  id: string;
  /** ISO 8601 UTC. */
  receivedAt: string;
}

export class Mailbox {
  readonly #directory: string;
  #lastReceivedAt = 0;

  private constructor(directory: string) {
    this.#directory = directory;
  }

  static async open(directory: string): Promise<Mailbox> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    return new Mailbox(directory);
  }

  async add(raw: Buffer, envelope: { from: string; to: string[] }): Promise<string> {
    // Ids sort by time of receipt, also within a millisecond.
    this.#lastReceivedAt = Math.max(Date.now(), this.#lastReceivedAt + 1);
    const id = `${this.#lastReceivedAt.toString(36).padStart(10, "0")}-${randomBytes(6).toString("hex")}`;
    const deliveredTo = envelope.to.map((address) => `Delivered-To: ${address}\r\n`);
    const trace = `Return-Path: <${envelope.from}>\r\n${deliveredTo.join("")}`;
    const partial = join(this.#directory, `${id}.new`);
    await writeFile(partial, Buffer.concat([Buffer.from(trace), raw]), { mode: 0o600 });
    await rename(partial, this.#path(id));
    const ids = await this.#ids();
    for (const old of ids.slice(0, Math.max(0, ids.length - MAX_MESSAGES))) await rm(this.#path(old), { force: true });
    return id;
  }

  /** Returns all messages, newest first. */
  async list(): Promise<StoredMessage[]> {
    const messages = await Promise.all((await this.#ids()).map((id) => this.find(id)));
    return messages.filter((message) => message !== undefined).reverse();
  }

  async find(id: string): Promise<StoredMessage | undefined> {
    if (!ID.test(id)) return undefined;
    const raw = await readFile(this.#path(id)).catch(() => undefined);
    if (raw === undefined) return undefined;
    const receivedAt = new Date(Number.parseInt(id, 36)).toISOString();
    return { id, receivedAt, ...parseMessage(raw) };
  }

  async #ids(): Promise<string[]> {
    const names = (await readdir(this.#directory)).filter((name) => name.endsWith(".eml"));
    return names.map((name) => name.slice(0, -4)).sort();
  }

  #path(id: string): string {
    return join(this.#directory, `${id}.eml`);
  }
}
