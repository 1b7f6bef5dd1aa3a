/** Stores messages in the Supervisor's database. The only code that writes a message's state, by the table in `states.ts`. */
import * as z from "zod";
import type { InboxDelivery, InboxStatus, MessageState } from "#workers/contracts/tenant/inbox.ts";
import type { SqlStore, SqlValue } from "../storage.ts";
import {
  contentRow,
  MESSAGE_COLUMNS,
  type MessageContent,
  type MessageRow,
  messageRow,
  type StoredBody,
  type StoredFailure,
} from "./rows.ts";
import { createInboxSchema, PENDING } from "./schema.ts";
import { type MessageEvent, transitionOf } from "./states.ts";

const DAY_MS = 24 * 3600 * 1000;
/** How long a message is attempted after its receipt, or its replay. */
export const RETRY_MS = DAY_MS;
/** How long the event ID of an accepted or dropped message is stored. */
const REMEMBER_MS = 7 * DAY_MS;
const DEAD_MS = 30 * DAY_MS;
/** How long an accepted message is stored for a backup that never comes. */
const UNSAVED_MS = DAY_MS;
/** Newest messages whose event IDs are stored. Older accepted and dropped ones are forgotten early. */
export const MAX_REMEMBERED = 200_000;
/** Most bytes of bodies in SQLite and the bucket. An object's SQLite storage has 10 GB. */
export const MAX_STORED_BYTES = 2 * 1024 ** 3;
/** An object without a message may belong to a receipt in progress for this long. */
const RECEIPT_MS = 10 * 60_000;
/** Messages that one call of {@link InboxStore.clean} deletes for one reason. */
const CLEAN_BATCH = 1_000;

/** Mark of the time since which the gateway was not ready. */
const UNREADY = "unready";

/** Due, unless an earlier message of its conversation is pending. */
const INSERT_MESSAGE = `
  insert into inbox_messages
    (id, door, kind, name, event_id, conversation, state, bytes, received_at, retry_until, changed_at, due_at)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
    iif(exists (select 1 from inbox_messages where ${PENDING} and door = ? and conversation = ?), null, ?))
  on conflict (door, event_id) do nothing returning seq`;

interface Totals {
  pending: number;
  dead: number;
  bytes: number;
}

export interface Change {
  /** Milliseconds since the epoch. */
  now: number;
  /** Delay of the next attempt, for events with the effect `delay`. */
  delayMs?: number;
  failure?: StoredFailure;
}

export class InboxStore {
  readonly #storage: SqlStore;
  readonly #limit: number;
  #known: Totals | undefined;
  #unreadySince: number | undefined;

  /** @param limit most pending and dead messages */
  constructor(storage: SqlStore, limit: number) {
    this.#storage = storage;
    this.#limit = limit;
    createInboxSchema(storage);
  }

  /** Queues the messages whose delivery was in progress when the object ended. */
  recover(now: number): void {
    for (const row of this.#rows("state = 'delivering'")) this.move(row, "interrupted", { now, delayMs: 0 });
  }

  /** Whether a message of this door with this event ID is stored. */
  knows({ door, eventId }: Pick<InboxDelivery, "door" | "eventId">): boolean {
    return this.#first("select 1 from inbox_messages where door = ? and event_id = ?", door, eventId) !== undefined;
  }

  /** Whether one more message has room. */
  hasRoom(bytes: number): boolean {
    const { pending, dead, bytes: stored } = this.#totals();
    return pending + dead < this.#limit && stored + bytes <= MAX_STORED_BYTES;
  }

  /** Stores a message, unless its event ID is known or the inbox is full. */
  add(delivery: InboxDelivery, body: StoredBody, bytes: number, now: number): "queued" | "duplicate" | "full" {
    return this.#atomically(() => {
      if (!this.hasRoom(bytes)) return this.knows(delivery) ? "duplicate" : "full";
      const { door, kind, name, eventId, conversation, receivedAt, subpath, query, method, headers } = delivery;
      const receivedMs = Date.parse(receivedAt);
      const [row] = this.#run(
        INSERT_MESSAGE,
        ...[crypto.randomUUID(), door, kind, name, eventId, conversation, transitionOf("received").to, bytes],
        ...[receivedMs, Math.max(receivedMs, now) + RETRY_MS, now],
        ...[door, conversation, now],
      );
      if (row === undefined) return "duplicate";
      const seq = z.number().parse(row.seq);
      const stored = "bytes" in body ? [body.bytes, null] : [null, body.object];
      const request = JSON.stringify({ subpath, query, method, headers });
      this.#run("insert into inbox_contents (seq, request, body, object) values (?, ?, ?, ?)", seq, request, ...stored);
      this.#count({ pending: 1, bytes });
      return "queued";
    });
  }

  /** Returns the messages that are due, the longest due first; of each conversation at most one. */
  due(now: number, limit: number): MessageRow[] {
    return this.#rows("due_at is not null and due_at <= ? order by due_at, seq limit ?", now, limit);
  }

  /** Returns when the next message is due; `undefined` when none waits. */
  nextDueAt(): number | undefined {
    const row = this.#first("select due_at from inbox_messages where due_at is not null order by due_at limit 1");
    return typeof row?.due_at === "number" ? row.due_at : undefined;
  }

  /** Returns a message's content; `undefined` when only its event ID is stored. */
  content(seq: number): MessageContent | undefined {
    const row = this.#first("select request, body, object from inbox_contents where seq = ?", seq);
    return row === undefined ? undefined : contentRow.parse(row);
  }

  /** Carries out a transition. @returns false when the message is in another state by now */
  move({ seq }: Pick<MessageRow, "seq">, event: MessageEvent, change: Change): boolean {
    return this.#atomically(() => {
      const row = this.#rows("seq = ?", seq)[0];
      const { from, to, effects } = transitionOf(event);
      if (row === undefined || !from.includes(row.state)) return false;
      const has = (effect: (typeof effects)[number]) => effects.includes(effect);
      const isReset = has("reset-attempts");
      const attempts = isReset ? 0 : row.attempts + (has("count-attempt") ? 1 : 0);
      // A saved message was not changed since its acceptance.
      const changedAt = row.state === to ? row.changed_at : change.now;
      const isCleared = isReset || to === "accepted";
      const failure = change.failure === undefined ? row.failure : JSON.stringify(change.failure);
      if (has("delete-content")) this.#deleteContent(row);
      if (to === "none") this.#run("delete from inbox_messages where seq = ?", seq);
      else
        this.#run(
          "update inbox_messages set state = ?, attempts = ?, changed_at = ?, due_at = ?, failure = ?, retry_until = ? where seq = ?",
          ...[to, attempts, changedAt, has("delay") ? change.now + (change.delayMs ?? 0) : null],
          ...[isCleared ? null : failure, isReset ? change.now + RETRY_MS : row.retry_until, seq],
        );
      this.#settle(row, change.now);
      this.#count({ pending: isPending(to) - isPending(row.state), dead: isDead(to) - isDead(row.state) });
      return true;
    });
  }

  /** Moves messages by their IDs, or all of a state. @returns how many were changed */
  moveSelected(selection: { ids: readonly string[] } | { state: MessageState }, event: MessageEvent, now: number) {
    const rows =
      "state" in selection
        ? this.#rows("state = ? order by seq", selection.state)
        : selection.ids.flatMap((id) => this.#rows("id = ?", id));
    return rows.filter((row) => this.move(row, event, { now })).length;
  }

  /** Deletes the content of messages accepted before a backup began. */
  markSaved(before: number, now: number): void {
    for (const row of this.#accepted("changed_at < ?", before)) this.move(row, "saved", { now });
  }

  /** Queues messages again that the gateway accepted at or after `since`, since its state from then is lost. @returns how many */
  markLost(since: number, now: number): number {
    return this.#accepted("changed_at >= ?", since).filter((row) => this.move(row, "state lost", { now })).length;
  }

  /**
   * Whether the gateway has accepted a message that was received at or after `since`.
   *
   * @param unsaved only messages that no backup contains
   */
  hasAccepted(since: number, unsaved: boolean): boolean {
    const isUnsaved = unsaved ? "and seq in (select seq from inbox_contents)" : "";
    const recent = `state = 'accepted' and changed_at >= ? and received_at >= ? ${isUnsaved}`;
    return this.#first(`select 1 from inbox_messages where ${recent} limit 1`, since, since) !== undefined;
  }

  /** Returns messages in the order of their receipt. @param after `seq` of the last one of the previous page */
  list(states: readonly MessageState[], after: number, limit: number): MessageRow[] {
    const places = states.map(() => "?").join(", ");
    return this.#rows(`state in (${places}) and seq > ? order by seq limit ?`, ...states, after, limit);
  }

  status(): InboxStatus {
    const { pending, dead } = this.#totals();
    const oldest =
      pending === 0 ? undefined : this.#first(`select min(received_at) as at from inbox_messages where ${PENDING}`);
    const at = z.number().safeParse(oldest?.at).data;
    return { pending, dead, limit: this.#limit, ...(at !== undefined && { oldestAt: new Date(at).toISOString() }) };
  }

  /** Forgets messages whose time is over, and contents that no backup will save. */
  clean(now: number): void {
    const batch = (where: string, ...bindings: SqlValue[]) =>
      this.#rows(`${where} order by changed_at limit ${CLEAN_BATCH}`, ...bindings);
    for (const state of ["accepted", "dropped"] as const)
      for (const row of batch("state = ? and changed_at < ?", state, now - REMEMBER_MS))
        this.move(row, "forgotten", { now });
    for (const row of batch("state = 'dead' and changed_at < ?", now - DEAD_MS)) this.move(row, "forgotten", { now });
    const unsaved = this.#accepted("changed_at < ?", now - UNSAVED_MS);
    const surplus = this.#accepted("1 order by changed_at desc limit -1 offset ?", this.#limit);
    for (const row of [...unsaved, ...surplus]) this.move(row, "saved", { now });
    // Each message has the next higher number, so this needs no count.
    const last = z.number().nullable().parse(this.#first("select max(seq) as seq from inbox_messages")?.seq) ?? 0;
    const old = `state in ('accepted', 'dropped') and seq <= ? order by seq limit ${CLEAN_BATCH}`;
    for (const row of this.#rows(old, last - MAX_REMEMBERED)) this.move(row, "forgotten", { now });
  }

  /** Registers an object in the bucket before it is written. */
  addObject(key: string, now: number): void {
    this.#run("insert into inbox_objects (key, added_at) values (?, ?)", key, now);
  }

  /** Returns objects that no message has any longer. */
  unusedObjects(now: number): string[] {
    const rows = this.#run(
      "select key from inbox_objects where added_at < ? and key not in (select object from inbox_contents where object is not null) limit ?",
      now - RECEIPT_MS,
      CLEAN_BATCH,
    );
    return rows.map(({ key }) => z.string().parse(key));
  }

  /** Removes the registration of an object after its deletion. */
  removeObject(key: string): void {
    this.#run("delete from inbox_objects where key = ?", key);
  }

  /** Returns since when the gateway was not ready for messages. Call while it is not. */
  unreadySince(now: number): number {
    this.#unreadySince ??= z
      .number()
      .safeParse(this.#first("select value from inbox_marks where name = ?", UNREADY)?.value).data;
    if (this.#unreadySince === undefined)
      this.#run("insert into inbox_marks (name, value) values (?, ?)", UNREADY, now);
    this.#unreadySince ??= now;
    return this.#unreadySince;
  }

  /** Records that the gateway is ready. */
  setReady(): void {
    this.#run("delete from inbox_marks where name = ?", UNREADY);
    this.#unreadySince = undefined;
  }

  /** Makes the first pending message of a conversation due, and no other. A message without a conversation is due by itself. */
  #settle({ seq, door, conversation }: Pick<MessageRow, "seq" | "door" | "conversation">, now: number): void {
    const setDue = "update inbox_messages set due_at = coalesce(due_at, ?) where seq = ? and state = 'queued'";
    if (conversation === null) {
      this.#run(setDue, now, seq);
      return;
    }
    const lane = [door, conversation];
    const isDelivering = this.#first(
      "select 1 from inbox_messages where state = 'delivering' and door = ? and conversation = ?",
      ...lane,
    );
    const head = isDelivering
      ? undefined
      : this.#first(
          `select min(seq) as seq from inbox_messages where ${PENDING} and door = ? and conversation = ?`,
          ...lane,
        )?.seq;
    const first = typeof head === "number" ? head : -1;
    this.#run(
      "update inbox_messages set due_at = null where due_at is not null and door = ? and conversation = ? and seq <> ?",
      ...[...lane, first],
    );
    this.#run(setDue, now, first);
  }

  #deleteContent({ seq, bytes }: MessageRow): void {
    const deleted = this.#run("delete from inbox_contents where seq = ? returning seq", seq);
    if (deleted.length > 0) this.#count({ bytes: -bytes });
  }

  /** Accepted messages whose content is stored. Reads these only, and not all that are remembered. */
  #accepted(where: string, ...bindings: SqlValue[]): MessageRow[] {
    const from = "inbox_contents cross join inbox_messages using (seq)";
    return this.#parsed(`select ${MESSAGE_COLUMNS} from ${from} where state = 'accepted' and ${where}`, ...bindings);
  }

  #totals(): Totals {
    this.#known ??= this.#readTotals();
    return this.#known;
  }

  /** Reads pending and dead messages and contents only, since the object may start once a minute. */
  #readTotals(): Totals {
    const count = (query: string): number => z.number().parse(this.#first(query)?.n);
    return {
      pending: count(`select count(*) as n from inbox_messages where ${PENDING}`),
      dead: count("select count(*) as n from inbox_messages where state = 'dead'"),
      bytes: count("select coalesce(sum(bytes), 0) as n from inbox_contents cross join inbox_messages using (seq)"),
    };
  }

  #count({ pending = 0, dead = 0, bytes = 0 }: Partial<Totals>): void {
    if (this.#known === undefined) return;
    const known = this.#known;
    this.#known = { pending: known.pending + pending, dead: known.dead + dead, bytes: known.bytes + bytes };
  }

  #atomically<T>(work: () => T): T {
    try {
      return this.#storage.transactionSync(work);
    } catch (error) {
      // The transaction was rolled back, but not these.
      this.#known = undefined;
      throw error;
    }
  }

  #rows(where: string, ...bindings: SqlValue[]): MessageRow[] {
    return this.#parsed(`select ${MESSAGE_COLUMNS} from inbox_messages where ${where}`, ...bindings);
  }

  /** Leaves out rows in states of a later version. */
  #parsed(query: string, ...bindings: SqlValue[]): MessageRow[] {
    return this.#run(query, ...bindings).flatMap((row) => messageRow.safeParse(row).data ?? []);
  }

  #first(query: string, ...bindings: SqlValue[]): Record<string, unknown> | undefined {
    return this.#run(query, ...bindings)[0];
  }

  #run(query: string, ...bindings: SqlValue[]): Record<string, unknown>[] {
    return this.#storage.sql.exec(query, ...bindings).toArray();
  }
}

const isPending = (state: string): number => (state === "queued" || state === "delivering" ? 1 : 0);
const isDead = (state: string): number => (state === "dead" ? 1 : 0);
