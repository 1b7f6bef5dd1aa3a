/** The tenant's inbox: receives messages of webhooks, delivers them to the gateway, and lets administrators see and change them. */
import type {
  ExportedMessage,
  InboxAnswer,
  InboxChange,
  InboxDelivery,
  InboxPage,
  InboxQuery,
  InboxSelection,
  InboxStatus,
  MessageState,
} from "#workers/contracts/tenant/inbox.ts";
import type { RecordEvent } from "../event-log.ts";
import { type InboxBodies, MAX_INLINE_BYTES } from "./bodies.ts";
import { type Drain, WATCH_MS } from "./drain.ts";
import { messageOf } from "./rows.ts";
import type { MessageEvent } from "./states.ts";
import type { InboxStore } from "./store.ts";

/** What `list` and `export` show unless a state is given. */
const CURRENT: readonly MessageState[] = ["queued", "delivering", "dead"];
/** Bodies in one page of an export, below the 32 MiB of an RPC (developers.cloudflare.com/workers/runtime-apis/rpc/#limitations). */
const EXPORT_PAGE_BYTES = 4 * 1024 * 1024;
const EXPORT_PAGE = 100;

/** How long after a message's receipt its gateway is started again if it ended: a message may end its gateway each time. */
const ANSWER_MS = 15 * 60_000;

/** RPC does not preserve error classes, so a full inbox is a value. */
export type Received = InboxAnswer["outcome"] | "full";

/** A message of an export. A body in the bucket is not included. */
export interface ExportEntry {
  /** An {@link ExportedMessage} without its body, as JSON: RPC types do not preserve tuples. */
  message: string;
  body?: { bytes: ArrayBuffer } | { object: string };
}

export interface ExportPage {
  entries: ExportEntry[];
  /** Cursor of the next page; absent at the end. */
  next?: string;
}

export interface InboxOptions {
  store: InboxStore;
  bodies: InboxBodies;
  drain: Drain;
  /** Sets the object's alarm to ring within this many milliseconds. */
  ringWithin: (ms: number) => Promise<void>;
  record: RecordEvent;
  waitUntil: (work: Promise<unknown>) => void;
  /** Counts messages by what became of them. */
  count: (outcome: "queued" | "duplicate" | "full" | "dropped" | "replayed" | "redelivered", messages: number) => void;
}

export class Inbox {
  readonly #o: InboxOptions;
  #wasFull = false;

  constructor(options: InboxOptions) {
    this.#o = options;
  }

  /** Stores a message once. Its delivery begins afterwards. */
  async receive(delivery: InboxDelivery, bytes: ArrayBuffer): Promise<Received> {
    const { store, drain, ringWithin, record, count } = this.#o;
    const outcome = await this.#store(delivery, bytes);
    count(outcome, 1);
    if (outcome === "full" && !this.#wasFull) record("inbox.full", { limit: store.status().limit });
    this.#wasFull = outcome === "full";
    if (outcome !== "queued") return outcome;
    // Before the acknowledgement, so that the alarm delivers the message when this object ends.
    await ringWithin(WATCH_MS);
    drain.kick();
    return outcome;
  }

  async #store(delivery: InboxDelivery, bytes: ArrayBuffer): Promise<Received> {
    const { store, bodies } = this.#o;
    if (bytes.byteLength <= MAX_INLINE_BYTES) return store.add(delivery, { bytes }, bytes.byteLength, Date.now());
    if (store.knows(delivery)) return "duplicate";
    if (!store.hasRoom(bytes.byteLength)) return "full";
    const object = await bodies.write(bytes, Date.now());
    return store.add(delivery, { object }, bytes.byteLength, Date.now());
  }

  /** Continues deliveries when the object starts, and at its alarm. */
  continue(): void {
    this.#o.drain.kick();
  }

  /** Continues deliveries after the tenant was frozen or stopped, or its gateway was restarted by an administrator. */
  async resume(): Promise<void> {
    const { store, drain, ringWithin } = this.#o;
    if (store.nextDueAt() === undefined) return;
    await ringWithin(WATCH_MS);
    drain.resume();
  }

  /** Returns the milliseconds to the next alarm; `undefined` when none is needed. */
  wait(): Promise<number | undefined> {
    return this.#o.drain.wait();
  }

  /** Returns how many messages wait that may be delivered. */
  async pending(): Promise<number> {
    return (await this.#o.drain.wait()) === undefined ? 0 : this.#o.store.status().pending;
  }

  /**
   * Whether a gateway that does not run may have ended before it processed an accepted message.
   *
   * @param isAwake whether its container runs. A container that fell asleep was backed up before.
   */
  mayBeUnanswered(isAwake: boolean): boolean {
    return this.#o.store.hasAccepted(Date.now() - ANSWER_MS, !isAwake);
  }

  isFull(): boolean {
    return !this.#o.store.hasRoom(1);
  }

  status(): InboxStatus {
    return this.#o.store.status();
  }

  list({ state, after = "0", limit }: InboxQuery): InboxPage {
    const rows = this.#o.store.list(state === undefined ? CURRENT : [state], Number(after), limit + 1);
    const messages = rows.slice(0, limit);
    const last = messages.at(-1);
    return {
      messages: messages.map(messageOf),
      ...(rows.length > limit && last !== undefined && { next: String(last.seq) }),
      status: this.status(),
    };
  }

  export({ state, after = "0" }: Pick<InboxQuery, "state" | "after">): ExportPage {
    const { store } = this.#o;
    const rows = store.list(state === undefined ? CURRENT : [state], Number(after), EXPORT_PAGE);
    const entries: ExportEntry[] = [];
    let bytes = 0;
    for (const row of rows) {
      const content = store.content(row.seq);
      const request = content?.request ?? { subpath: "", query: "", method: "POST", headers: [] };
      const message: ExportedMessage = { ...messageOf(row), ...request };
      entries.push({ message: JSON.stringify(message), ...(content && { body: content.body }) });
      bytes += content !== undefined && "bytes" in content.body ? row.bytes : 0;
      if (bytes > EXPORT_PAGE_BYTES) return { entries, next: String(row.seq) };
    }
    const last = rows.at(-1);
    return { entries, ...(rows.length === EXPORT_PAGE && last !== undefined && { next: String(last.seq) }) };
  }

  async replay(selection: InboxSelection): Promise<InboxChange> {
    const change = this.#change(selection, "replayed");
    await this.resume();
    return change;
  }

  async drop(selection: InboxSelection): Promise<InboxChange> {
    const change = this.#change(selection, "dropped");
    // The next message of a conversation may be due now.
    await this.resume();
    return change;
  }

  #change(selection: InboxSelection, event: MessageEvent & ("replayed" | "dropped")): InboxChange {
    const { store, record, count } = this.#o;
    const of = "all" in selection ? ({ state: "dead" } as const) : selection;
    const changed = store.moveSelected(of, event, Date.now());
    if (changed > 0) {
      record(`inbox.${event}`, { messages: changed });
      count(event, changed);
    }
    return { changed };
  }

  /** Forgets the content of messages that a backup has. @param began when the backup began */
  recordBackup(began: Date): void {
    this.#o.store.markSaved(began.getTime(), Date.now());
  }

  /** Queues messages again that the gateway accepted after its present state. @param from when the backup of that state began; absent for a new state */
  recordLostState(from?: Date): void {
    const { store, record, count, waitUntil } = this.#o;
    const messages = store.markLost(from?.getTime() ?? 0, Date.now());
    if (messages === 0) return;
    record("inbox.state-lost", { messages });
    count("redelivered", messages);
    waitUntil(this.resume());
  }

  /** Deletes what is no longer needed. */
  async clean(): Promise<void> {
    const { store, bodies } = this.#o;
    store.clean(Date.now());
    await bodies.deleteUnused(Date.now());
  }
}
