import { expect, test } from "vitest";
import { MOST_AT_ONCE, nextMoves, type RolloutState, type RolloutTenant } from "./progress.ts";

const NOW = new Date("2026-11-23T12:00:00Z");
const MINUTE = 60_000;
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * MINUTE);

const tenant = (slug: string, values: Partial<RolloutTenant> = {}): RolloutTenant => ({
  instanceId: slug,
  slug,
  wave: 0,
  status: "waiting",
  notBefore: null,
  changedAt: null,
  hasJob: false,
  passedBy: null,
  isBusy: false,
  trouble: null,
  isHealthy: true,
  ...values,
});
const rollout = (tenants: RolloutTenant[], values: Partial<RolloutState> = {}): RolloutState => ({
  status: "running",
  wave: 0,
  lastWave: 2,
  soakMs: 10 * MINUTE,
  cause: null,
  tenants,
  ...values,
});
/** Moves in short: what, and to whom. */
const moves = (state: RolloutState) =>
  nextMoves(state, NOW).map((move) =>
    "tenant" in move ? `${move.do} ${move.tenant.slug}` : Object.values(move).join(" "),
  );
const done = (slug: string, minutes: number, values: Partial<RolloutTenant> = {}) =>
  tenant(slug, { status: "done", changedAt: ago(minutes), ...values });

test("schedules only the current wave", () => {
  expect(moves(rollout([tenant("a"), tenant("b"), tenant("c", { wave: 1 })]))).toEqual(["schedule a", "schedule b"]);
});

test("changes announced tenants once they are due, up to the maximum at a time", () => {
  const due = { status: "announced", notBefore: ago(0) } as const;
  expect(moves(rollout([tenant("a", due), tenant("b", { status: "announced", notBefore: ago(-1) })]))).toEqual([
    "change a",
  ]);
  const many = Array.from({ length: 30 }, (_, index) => tenant(`t${index}`, due));
  const busy = Array.from({ length: 4 }, (_, index) => tenant(`b${index}`, { status: "changing", hasJob: true }));
  expect(moves(rollout([...many, ...busy]))).toHaveLength(MOST_AT_ONCE - 4);
});

test("starts the next wave once the previous one has stayed healthy long enough", () => {
  expect(moves(rollout([done("a", 9), tenant("b", { wave: 1 })]))).toEqual([]);
  expect(moves(rollout([done("a", 10), tenant("b", { wave: 1 })]))).toEqual(["next_wave 1"]);
  expect(moves(rollout([done("a", 10, { isHealthy: false })]))).toEqual([]);
  expect(moves(rollout([done("a", 10), tenant("s", { status: "skipped" })]))).toEqual(["next_wave 1"]);
  expect(moves(rollout([done("a", 99), tenant("b", { status: "changing", hasJob: true })]))).toEqual([]);
});

test("skips empty waves, and succeeds after the last one", () => {
  expect(moves(rollout([], { wave: 1 }))).toEqual(["next_wave 2"]);
  expect(moves(rollout([done("a", 99), done("b", 10, { wave: 2 })], { wave: 2 }))).toEqual(["end succeeded"]);
});

test("gives up after a failed change, or a problem of a changed tenant, also of an earlier wave", () => {
  expect(moves(rollout([tenant("a", { status: "failed", trouble: "it broke." }), tenant("b")]))).toEqual([
    "give_up a: it broke.",
  ]);
  const troubled = done("a", 60, { trouble: "it is dead." });
  expect(moves(rollout([troubled, tenant("b", { wave: 1 })], { wave: 1 }))).toEqual(["give_up a: it is dead."]);
});

test("does nothing while it is paused", () => {
  expect(moves(rollout([tenant("a"), done("b", 99, { trouble: "dead" })], { status: "paused" }))).toEqual([]);
});

test("rolls back up to the maximum at a time, waits for them, and ends by the cause", () => {
  const state = { status: "rolling_back", cause: "a: it broke." } as const;
  const back = Array.from({ length: 12 }, (_, index) => tenant(`t${index}`, { status: "going_back" }));
  expect(moves(rollout(back, state))).toHaveLength(MOST_AT_ONCE);
  expect(moves(rollout([tenant("a", { status: "going_back", hasJob: true })], state))).toEqual([]);
  expect(moves(rollout([tenant("a", { status: "changing", hasJob: true })], state))).toEqual([]);
  const ended = [
    tenant("a", { status: "gone_back" }),
    tenant("b", { status: "stuck" }),
    tenant("c", { status: "failed" }),
  ];
  expect(moves(rollout(ended, state))).toEqual(["end failed"]);
  expect(moves(rollout(ended, { ...state, cause: null }))).toEqual(["end rolled_back"]);
});

test("skips tenants with a reason, and waits for other changes, in both directions", () => {
  const due = { status: "announced", notBefore: ago(0) } as const;
  const pinned = { passedBy: "It is pinned." };
  const ahead = [tenant("a", pinned), tenant("b", { ...due, ...pinned }), tenant("c", { ...due, isBusy: true })];
  expect(moves(rollout([...ahead, tenant("d", { wave: 1, ...pinned })]))).toEqual(["skip a", "skip b"]);
  expect(moves(rollout([tenant("c", { ...due, isBusy: true })]))).toEqual([]);
  const back = { status: "going_back" } as const;
  const going = [tenant("a", { ...back, ...pinned }), tenant("b", { ...back, isBusy: true }), tenant("c", back)];
  expect(moves(rollout(going, { status: "rolling_back" }))).toEqual(["skip a", "go_back c"]);
  expect(moves(rollout([tenant("b", { ...back, isBusy: true })], { status: "rolling_back" }))).toEqual([]);
});
