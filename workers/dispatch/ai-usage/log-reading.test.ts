import { beforeEach, expect, test } from "vitest";
import type { AiQuery } from "#workers/contracts/tenant/metrics/ai-usage.ts";
import type { LogEntry } from "./gateway-logs.ts";
import type { LogPosition } from "./log-positions.ts";
import { type LogReading, readLog } from "./log-reading.ts";

const MINUTE = 60_000;
const START = Date.parse("2026-11-22T12:00:00Z");
const PAGE = 3;

let entries: LogEntry[];
let position: LogPosition | undefined;
let delivered: [string, string][];
let failing: Set<string>;
let pages: number;

beforeEach(() => {
  [entries, position, delivered, failing, pages] = [[], undefined, [], new Set(), 0];
});

const entry = (id: string, at: number, changed: Partial<LogEntry> = {}): LogEntry => ({
  id,
  created_at: new Date(at).toISOString(),
  path: "chat/completions",
  provider: "openai",
  model: "gpt-5",
  success: true,
  tokens_in: 5,
  tokens_out: null,
  cost: 0.0015,
  metadata: { tenant: "acme", environment: "production" },
  ...changed,
});

const logs: LogReading["logs"] = {
  async page(_gateway, after, number) {
    pages += 1;
    const found = entries
      .filter(({ created_at }) => Date.parse(created_at) > after.getTime())
      .sort((a, b) => (a.created_at < b.created_at ? -1 : 1))
      .slice((number - 1) * PAGE, number * PAGE);
    return { entries: found, isLast: found.length < PAGE };
  },
};

const read = (minute: number) =>
  readLog({
    gateway: "pool-a",
    minute,
    environment: "production",
    logs,
    positions: {
      read: async () => position,
      write: async (_, written) => {
        position = JSON.parse(JSON.stringify(written));
      },
    },
    deliver: async (slug: string, queries: AiQuery[]) => {
      if (failing.has(slug)) throw new Error("no answer");
      for (const { id, person } of queries) delivered.push([slug, person === undefined ? id : `${id} of ${person}`]);
    },
  });
const ids = () => delivered.map(([, id]) => id);

test("delivers each query to its tenant once, and ignores other entries and environments", async () => {
  entries = [
    entry("a", START - 2 * MINUTE),
    entry("b", START - MINUTE, { metadata: { tenant: "hooli", environment: "production", person: "ada" } }),
    entry("later", START - MINUTE, { metadata: { tenant: "initech~2", environment: "production" } }),
    entry("refused", START - MINUTE, { success: false }),
    entry("staging", START - MINUTE, { metadata: { tenant: "acme", environment: "staging" } }),
    entry("stranger", START - MINUTE, { metadata: {} }),
  ];
  expect(await read(START)).toBe(3);
  entries.push(entry("c", START + 10));
  for (let minute = 1; minute <= 40; minute++) await read(START + minute * MINUTE);
  expect(delivered).toEqual([
    ["acme", "a"],
    ["hooli", "b of ada"],
    ["initech", "later"],
    ["acme", "c"],
  ]);
});

test("delivers a query whose entry appears late, after a long response", async () => {
  await read(START);
  await read(START + MINUTE);
  entries.push(entry("long", START - 5 * MINUTE));
  for (let minute = 2; minute <= 15; minute++) await read(START + minute * MINUTE);
  expect(ids()).toEqual(["long"]);
});

test("delivers nothing twice when the queue delivers a minute again, at once or after a later one", async () => {
  entries = [entry("a", START - 2 * MINUTE), entry("b", START + 10)];
  for (const minute of [0, 0, 1, 2, 0, 1, 3]) await read(START + minute * MINUTE);
  entries.push(entry("c", START + 3 * MINUTE + 10));
  for (const minute of [4, 2, 4]) await read(START + minute * MINUTE);
  expect(ids()).toEqual(["a", "b", "c"]);
});

test("catches up after hours, in several readings for many entries", async () => {
  await read(START);
  const count = 2_000;
  for (let index = 0; index < count; index++) entries.push(entry(`e${index}`, START + index * 1_000));
  const later = START + 60 * MINUTE;
  for (let minute = 0; minute < 6; minute++) {
    pages = 0;
    await read(later + minute * MINUTE);
    expect(pages).toBeLessThanOrEqual(200);
  }
  expect(new Set(ids()).size).toBe(count);
  expect(ids()).toHaveLength(count);
});

test("retries a tenant that does not respond, without delaying others", async () => {
  failing.add("hooli");
  entries = [
    entry("a", START - MINUTE),
    entry("b", START - MINUTE, { metadata: { tenant: "hooli", environment: "production" } }),
  ];
  expect(await read(START)).toBe(1);
  entries.push(entry("c", START));
  expect(await read(START + MINUTE)).toBe(1);
  failing.clear();
  // Queries that are too old are dropped.
  expect(await read(START + 120 * MINUTE)).toBe(1);
  expect(delivered).toEqual([
    ["acme", "a"],
    ["acme", "c"],
    ["hooli", "b"],
  ]);
});
