import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Store } from "#account/store.ts";
import { FakeEngine } from "../testing/fake-engine.ts";
import { ManualClock, settled } from "../testing/manual-clock.ts";
import { VENDOR_TIMES } from "./advance.ts";
import { act, rolloutRequest, withRollout } from "./plan.ts";
import { rolloutsOf } from "./record.ts";
import { Scheduler } from "./scheduler.ts";

const MINUTE = 60_000;
const SCRIPT = { namespace: "tenants", name: "acme" };
const missing = new Set<string>();

let directory: string;
let store: Store;
let engine: FakeEngine;
let scheduler: Scheduler;
let clock: ManualClock;

const pass = (milliseconds: number) => clock.pass(milliseconds);

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "rollouts-"));
  store = new Store(directory);
  engine = new FakeEngine();
  clock = new ManualClock();
  missing.clear();
  store.put("script", {
    ...{ id: "tenants/acme", ...SCRIPT, main_module: "index.js", modules: [], bindings: [], compatibility_flags: [] },
    durable_objects: [{ class_name: "Box", sqlite: true, namespace_id: "n1" }],
    containers: [{ class_name: "Box" }],
    ...{ tags: [], limits: {}, etag: "1", created_on: "", modified_on: "" },
  });
  store.put("container_application", {
    ...{ id: "app", name: "acme", durable_objects: { namespace_id: "n1" }, scheduling_policy: "default" },
    ...{ instances: 0, max_instances: 10, version: 1, configuration: { image: "box:1" }, created_at: "2026-01-01" },
  });
  open();
});
afterEach(() => {
  scheduler.stop();
  store.close();
  rmSync(directory, { recursive: true });
});

function open(): void {
  const isPullable = (image: string) => !missing.has(image);
  scheduler = new Scheduler({ store, engine, clock, times: VENDOR_TIMES, isPullable, log: () => {} });
}

const start = (name: string) => engine.start(SCRIPT, "Box", name, clock.now());
function application() {
  const found = store.get("container_application", "app");
  if (found === undefined) throw new Error("the application does not exist");
  return found;
}
function roll(image: string, request: Record<string, unknown>): void {
  const parsed = rolloutRequest.parse({ description: "", strategy: "rolling", ...request });
  store.put("container_application", withRollout(application(), parsed, { image }, clock.now()).application);
}
function apply(action: "next" | "previous" | "revert"): string | undefined {
  const all = rolloutsOf(application());
  const last = all.at(-1);
  const changed =
    last === undefined ? "none" : act(last, action, clock.now(), scheduler.instances({ id: "app" }).length);
  if (typeof changed === "string") return changed;
  store.put("container_application", { ...application(), rollouts: [...all.slice(0, -1), changed] });
  return undefined;
}
const last = () => rolloutsOf(application()).at(-1);
const stepStates = () => last()?.steps.map(({ status }) => status);
const versions = () =>
  Object.fromEntries(scheduler.instances({ id: "app" }).map(({ name, version }) => [name, version]));

test("replaces instances step by step, the oldest first, while old and new ones run side by side", async () => {
  for (const name of ["a", "b", "c", "d"]) {
    expect(start(name)).toBe("box:1");
    await pass(1000);
  }
  roll("box:2", { steps: [10, 50, 100].map((percentage) => ({ description: "", step_size: { percentage } })) });
  await pass(MINUTE - 1);
  expect([last()?.status, stepStates(), engine.stopped]).toEqual([
    "progressing",
    ["progressing", "pending", "pending"],
    [],
  ]);
  // Nothing is prepared yet.
  expect(start("early")).toBe("box:1");
  engine.end("early");
  await pass(1);
  expect(engine.stopped).toEqual(["terminate a"]);
  expect(start("a")).toBe("box:2");
  await settled();
  // The first step's share is used up.
  expect(start("e")).toBe("box:1");
  engine.end("e");
  await pass(2 * MINUTE);
  expect([engine.stopped, versions()]).toEqual([["terminate a", "terminate b"], { a: 2, c: 1, d: 1 }]);
  expect(start("b")).toBe("box:2");
  expect(application()).toMatchObject({ version: 1, configuration: { image: "box:1" } });
  await pass(2 * MINUTE);
  expect(engine.stopped).toEqual(["terminate a", "terminate b", "terminate c", "terminate d"]);
  expect([last()?.status, stepStates()]).toEqual(["completed", ["completed", "completed", "completed"]]);
  expect(application()).toMatchObject({ version: 2, configuration: { image: "box:2" } });
  expect(start("f")).toBe("box:2");
});

test("kills an instance 15 minutes after SIGTERM, and waits for a later one to be connected for the grace period", async () => {
  store.put("container_application", { ...application(), rollout_active_grace_period: 300 });
  engine.onTerminate = "continues";
  start("a");
  await pass(2 * MINUTE);
  roll("box:2", { step_percentage: 100 });
  await pass(3 * MINUTE - 1);
  expect(engine.stopped).toEqual([]);
  await pass(1);
  expect(engine.stopped).toEqual(["terminate a"]);
  await pass(15 * MINUTE - 1);
  expect([versions(), last()?.status]).toEqual([{ a: 1 }, "progressing"]);
  await pass(1);
  expect([engine.stopped, last()?.status]).toEqual([["terminate a", "remove a"], "completed"]);
});

test("replaces an instance that started with the old image meanwhile, and continues after a restart of the edge", async () => {
  start("a");
  roll("box:2", { step_percentage: 100 });
  await pass(1000);
  engine.end("a");
  expect(start("a")).toBe("box:1");
  scheduler.stop();
  open();
  await pass(MINUTE);
  expect([engine.stopped, last()?.status]).toEqual([["terminate a"], "completed"]);
});

test("replaces nothing while the image cannot be pulled, and continues when it can", async () => {
  missing.add("box:2");
  start("a");
  roll("box:2", { step_percentage: 100 });
  await pass(60 * MINUTE);
  expect([engine.stopped, last()?.status, start("b")]).toEqual([[], "progressing", "box:1"]);
  missing.clear();
  await pass(MINUTE);
  expect([engine.stopped, last()?.status]).toEqual([["terminate a", "terminate b"], "completed"]);
});

test("is replaced by a second rollout, which also replaces what the first one started", async () => {
  start("a");
  roll("box:2", { step_percentage: 50 });
  await pass(MINUTE);
  expect(start("a")).toBe("box:2");
  roll("box:3", { step_percentage: 100 });
  await pass(MINUTE);
  expect(rolloutsOf(application()).map(({ status }) => status)).toEqual(["replaced", "completed"]);
  expect(engine.stopped).toEqual(["terminate a", "terminate a"]);
  expect(application()).toMatchObject({ version: 3, configuration: { image: "box:3" } });
});

test("is moved by hand: next after the current step, previous, and revert", async () => {
  for (const name of ["a", "b"]) start(name);
  roll("box:2", { step_percentage: 50, kind: "full_manual" });
  await pass(60 * MINUTE);
  expect([last()?.status, last()?.current_step]).toEqual(["pending", 0]);
  expect(apply("previous")).toBe("There is no previous step.");
  expect(apply("next")).toBeUndefined();
  expect(apply("next")).toBe("The current step is not finished.");
  await pass(MINUTE);
  start("a");
  await pass(60 * MINUTE);
  expect([versions(), stepStates()]).toEqual([{ a: 2, b: 1 }, ["completed", "pending"]]);
  expect(apply("next")).toBeUndefined();
  await pass(MINUTE);
  start("b");
  await pass(0);
  expect(last()?.status).toBe("completed");

  roll("box:3", { step_percentage: 50, kind: "full_manual" });
  apply("next");
  await pass(MINUTE);
  start("a");
  await pass(0);
  expect([versions(), stepStates()]).toEqual([{ a: 3, b: 2 }, ["completed", "pending"]]);
  expect(apply("revert")).toBeUndefined();
  await pass(0);
  expect([last()?.status, stepStates()]).toEqual(["reverted", ["reverted", "pending"]]);
  expect(start("a")).toBe("box:2");
  expect(application()).toMatchObject({ version: 2, configuration: { image: "box:2" } });
});

test("deploys nothing to a class whose application was deleted, or whose script was uploaded again", () => {
  expect(start("a")).toBe("box:1");
  store.put("script", {
    ...(store.get("script", "tenants/acme") ?? ({} as never)),
    durable_objects: [{ class_name: "Box", sqlite: true, namespace_id: "n2" }],
  });
  expect(start("b")).toBeUndefined();
  store.put("container_application", { ...application(), durable_objects: { namespace_id: "n2" } });
  expect(start("c")).toBe("box:1");
  store.delete("container_application", "app");
  expect(start("d")).toBeUndefined();
});
