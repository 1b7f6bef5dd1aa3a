import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import type { MessageState } from "#workers/contracts/tenant/inbox.ts";
import { sqlStore } from "../metrics/testing/sql-store.ts";
import { messageTransitions, transitionOf } from "./states.ts";
import { InboxStore, MAX_STORED_BYTES, RETRY_MS } from "./store.ts";
import { bytesOf, DOOR, delivery } from "./testing/deliveries.ts";

const LIMIT = 5;
const HOUR_MS = 3600 * 1000;
const DAY_MS = 24 * HOUR_MS;
const T = Date.parse("2026-11-26T12:00:00Z");
const OTHER_DOOR = "0197f5d2-0000-7000-8000-000000000002";
const ALL: readonly MessageState[] = ["queued", "delivering", "accepted", "dead", "dropped"];

let storage = sqlStore();
let store = new InboxStore(storage, LIMIT);
beforeEach(() => {
  storage = sqlStore();
  store = new InboxStore(storage, LIMIT);
});

const add = (eventId: string, conversation: string | null = null, door = DOOR, now = T, text = eventId) =>
  store.add(
    delivery(eventId, { conversation, door, receivedAt: new Date(now).toISOString() }),
    { bytes: bytesOf(text) },
    text.length,
    now,
  );
const all = () => store.list(ALL, 0, 100);
const row = (eventId: string) => {
  const found = all().find(({ event_id }) => event_id === eventId);
  if (found === undefined) throw new Error(`${eventId} is not stored.`);
  return found;
};
const move = (eventId: string, event: Parameters<InboxStore["move"]>[1], now = T, delayMs = 0) =>
  store.move(row(eventId), event, { now, delayMs });
const due = (now = T) => store.due(now, 100).map(({ event_id }) => event_id);
const counts = ({ pending, dead } = store.status()) => [pending, dead];
const accept = (eventId: string, now = T) => [move(eventId, "attempted", now), move(eventId, "accepted", now)];

test("stores a message once for each door and event ID, also after its delivery", () => {
  expect(add("1")).toBe("queued");
  expect(add("1")).toBe("duplicate");
  expect(add("1", null, OTHER_DOOR)).toBe("queued");
  accept("1");
  store.markSaved(T + 1, T + 1);
  expect(store.content(row("1").seq)).toBeUndefined();
  store.clean(T + 7 * DAY_MS);
  expect(add("1")).toBe("duplicate");
  store.clean(T + 7 * DAY_MS + 1);
  expect(add("1")).toBe("queued");
});

test("recognizes an event that the vendor repeats for a day, also after a restore and after its death", () => {
  expect([add("1"), add("2")]).toEqual(["queued", "queued"]);
  accept("1", T + HOUR_MS);
  move("2", "attempted");
  move("2", "refused");
  for (let hour = 1; hour <= 30; hour += 1) {
    const now = T + hour * HOUR_MS;
    // The tenant returns to its state of the beginning, and loses what it accepted since.
    if (hour === 12) expect(store.markLost(T, now)).toBe(1);
    if (hour === 13) accept("1", now);
    if (hour === 20) store.markSaved(now, now);
    store.clean(now);
    expect([add("1", null, DOOR, now), add("2", null, DOOR, now)]).toEqual(["duplicate", "duplicate"]);
  }
  expect(counts()).toEqual([0, 1]);
});

test("refuses messages beyond its limit of pending and dead ones, and of bytes", () => {
  for (let n = 1; n <= LIMIT; n++) expect(add(String(n))).toBe("queued");
  expect([add("6"), add("1")]).toEqual(["full", "duplicate"]);
  move("1", "attempted");
  move("1", "refused");
  expect([counts(), add("6")]).toEqual([[LIMIT - 1, 1], "full"]);
  move("1", "dropped");
  accept("2");
  expect([counts(), add("6"), add("7"), add("8")]).toEqual([[LIMIT - 2, 0], "queued", "queued", "full"]);
  expect(store.hasRoom(0)).toBe(false);
  move("6", "dropped");
  expect([store.hasRoom(MAX_STORED_BYTES - 5), store.hasRoom(MAX_STORED_BYTES)]).toEqual([true, false]);
});

test("makes only the first message of a conversation due, and messages without one at once", () => {
  for (const [id, conversation] of [
    ["a1", "a"],
    ["a2", "a"],
    ["b1", "b"],
    ["x", null],
  ] as const)
    add(id, conversation);
  add("a3", "a", OTHER_DOOR);
  expect(due()).toEqual(["a1", "b1", "x", "a3"]);
  move("a1", "attempted");
  expect(due()).toEqual(["b1", "x", "a3"]);
  move("a1", "failed", T, 1_000);
  expect([due(), due(T + 999), due(T + 1_000)]).toEqual([
    ["b1", "x", "a3"],
    ["b1", "x", "a3"],
    ["b1", "x", "a3", "a1"],
  ]);
  move("a1", "attempted");
  move("a1", "refused");
  expect(due()).toContain("a2");
  // A replayed message is the first again, also while a later one is being delivered.
  move("a2", "attempted");
  move("a1", "replayed");
  expect(due()).not.toContain("a1");
  move("a2", "failed");
  expect([due().includes("a1"), due().includes("a2")]).toEqual([true, false]);
  move("a1", "dropped");
  expect(due()).toContain("a2");
});

test("delivers an interrupted message again after the object's end, without counting the attempt", () => {
  add("a1", "a");
  add("a2", "a");
  move("a1", "attempted");
  expect(new InboxStore(storage, LIMIT).due(T, 9)).toEqual([]);
  const next = new InboxStore(storage, LIMIT);
  next.recover(T + 5);
  expect(next.due(T + 5, 9).map(({ event_id, attempts }) => [event_id, attempts])).toEqual([["a1", 0]]);
  expect(next.status()).toMatchObject({ pending: 2, dead: 0, limit: LIMIT, oldestAt: new Date(T).toISOString() });
});

test("keeps the content of an accepted message until a backup has it, and queues it again when its state is lost", () => {
  for (const id of ["a1", "a2", "a3"]) add(id, "a");
  accept("a1", T + 10);
  accept("a2", T + 20);
  store.markSaved(T + 20, T + 30);
  expect([store.content(row("a1").seq), store.content(row("a2").seq)?.body]).toEqual([
    undefined,
    { bytes: bytesOf("a2") },
  ]);
  move("a3", "attempted", T + 30);
  expect(store.markLost(T + 20, T + 40)).toBe(1);
  move("a3", "interrupted", T + 40);
  expect([due(T + 50), counts()]).toEqual([["a2"], [2, 0]]);
  // Without a backup everything that is still stored is delivered again.
  accept("a2", T + 50);
  expect([store.markLost(0, T + 60), due(T + 60)]).toEqual([1, ["a2"]]);
  accept("a2", T + 60);
  store.clean(T + 60 + DAY_MS + 1);
  expect(store.markLost(0, T + 2 * DAY_MS)).toBe(0);
});

test("finds accepted messages by the time of their receipt, and those that no backup contains", () => {
  const has = (since: number) => [store.hasAccepted(since, false), store.hasAccepted(since, true)];
  add("1");
  expect(has(T)).toEqual([false, false]);
  accept("1", T + HOUR_MS);
  expect([has(T), has(T + 1)]).toEqual([
    [true, true],
    [false, false],
  ]);
  store.markSaved(T + HOUR_MS + 1, T + HOUR_MS + 1);
  expect(has(T)).toEqual([true, false]);
});

test("gives a replayed message as much time and as many attempts as a new one", () => {
  add("1");
  for (const event of ["attempted", "failed", "attempted", "refused"] as const) move("1", event);
  expect(row("1")).toMatchObject({ attempts: 2, retry_until: T + RETRY_MS, state: "dead" });
  expect(store.moveSelected({ ids: [row("1").id, crypto.randomUUID()] }, "replayed", T + DAY_MS)).toBe(1);
  expect(row("1")).toMatchObject({ attempts: 0, retry_until: T + DAY_MS + RETRY_MS, state: "queued", failure: null });
  expect(store.moveSelected({ state: "dead" }, "replayed", T)).toBe(0);
});

test("lists unused objects in the bucket until they are deleted", () => {
  store.addObject("inbox/used", T);
  store.addObject("inbox/unused", T);
  store.add(delivery("1"), { object: "inbox/used" }, 9, T);
  expect([store.unusedObjects(T), store.unusedObjects(T + HOUR_MS)]).toEqual([[], ["inbox/unused"]]);
  store.removeObject("inbox/unused");
  move("1", "dropped");
  expect(store.unusedObjects(T + HOUR_MS)).toEqual(["inbox/used"]);
});

test("forgets dead messages after 30 days, and keeps pending ones", () => {
  add("pending");
  add("dead");
  move("dead", "attempted");
  move("dead", "refused");
  store.clean(T + 30 * DAY_MS);
  expect(counts()).toEqual([1, 1]);
  store.clean(T + 30 * DAY_MS + 1);
  expect([counts(), all().map(({ event_id }) => event_id)]).toEqual([[1, 0], ["pending"]]);
});

test("ignores rows in states of a later version, and columns that it added", () => {
  add("1");
  add("2");
  storage.sql.exec("alter table inbox_messages add column added text default 'x'");
  storage.sql.exec("update inbox_messages set state = 'parked', due_at = null where event_id = '1'");
  const earlier = new InboxStore(storage, LIMIT);
  earlier.recover(T);
  expect(earlier.list(ALL, 0, 9).map(({ event_id }) => event_id)).toEqual(["2"]);
  expect(earlier.add(delivery("3"), { bytes: bytesOf("") }, 0, T)).toBe("queued");
  expect(earlier.knows({ door: DOOR, eventId: "1" })).toBe(true);
});

test("keeps its invariants under every sequence of events", () => {
  const step = fc.record({
    event: fc.constantFrom(...messageTransitions.map(({ event }) => event)),
    message: fc.nat(7),
    delayMs: fc.constantFrom(0, 10),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      storage = sqlStore();
      store = new InboxStore(storage, LIMIT);
      let now = T;
      for (const { event, message, delayMs } of steps) {
        now += 1;
        const found = all().find(({ event_id }) => event_id === String(message));
        if (event === "received") add(String(message), [null, "a", "b"][message % 3] ?? null, DOOR, now);
        else if (found !== undefined) {
          const { from, to } = transitionOf(event);
          const isAllowed = from.includes(found.state);
          expect(store.move(found, event, { now, delayMs })).toBe(isAllowed);
          if (isAllowed && to !== "none") expect(row(String(message)).state).toBe(to);
        }
        const rows = all();
        // The totals are those of a new object, which counts.
        expect(store.status()).toEqual(new InboxStore(storage, LIMIT).status());
        for (const conversation of ["a", "b"]) {
          const lane = rows.filter((row) => row.conversation === conversation);
          const pending = lane.filter(({ state }) => state === "queued" || state === "delivering");
          const isDelivering = lane.some(({ state }) => state === "delivering");
          const dueOnes = lane.filter(({ due_at }) => due_at !== null).map(({ seq }) => seq);
          expect(dueOnes).toEqual(isDelivering || pending.length === 0 ? [] : [pending[0]?.seq]);
        }
        for (const { conversation, state, due_at } of rows)
          if (conversation === null) expect(due_at !== null).toBe(state === "queued");
      }
    }),
    { numRuns: 60 },
  );
});
