/** Offered actions of an instance, and their options. */
import { expect, test } from "vitest";
import type { Instance, Runs } from "#workers/contracts/api/instances/instances.ts";
import type { AiGateway } from "#workers/contracts/api/tenants/ai-gateways.ts";
import type { Image } from "#workers/contracts/api/tenants/images.ts";
import { actions, isOffered } from "./action.ts";
import { byFreeCapacity, whyUnavailable } from "./gateway-options.ts";
import { feeOf } from "./plan-fee.ts";
import { isTooOld, readableBackups, versionBody } from "./version-choice.ts";

type Viewed = Parameters<typeof isOffered>[2];
const offered = (
  status: Instance["status"],
  managed_by: Instance["managed_by"],
  isRoot: boolean,
  { isDeleted = false, frozenBy = null }: Partial<Viewed> = {},
) => actions.filter((action) => isOffered(action, { status, managed_by, job: null }, { isRoot, isDeleted, frozenBy }));

test("actions that Git, the role or the state forbid are not offered", () => {
  expect(offered("running", "dashboard", true)).toEqual([
    ...["restart", "back_up", "freeze", "plan", "gateway", "version", "token", "remove"],
  ]);
  expect(offered("running", "dashboard", false)).toEqual(["restart", "back_up", "freeze", "plan", "token", "remove"]);
  expect(offered("running", "git", true)).toEqual(["restart", "back_up", "freeze"]);
  expect(offered("frozen", "git", true)).toEqual(["resume"]);
  expect(offered("error", "dashboard", false)).toEqual(["restart", "provision", "freeze", "plan", "remove"]);
  expect(offered("provisioning", "dashboard", false)).toEqual(["freeze", "remove"]);
  expect(offered("frozen", "dashboard", false, { isDeleted: true })).toEqual(["plan", "token", "remove"]);
});

test("a credit freeze cannot be resumed, and a platform freeze not by a partner root", () => {
  const resumed = (isRoot: boolean) =>
    (["platform", "partner", "credit", "deletion"] as const).map((frozenBy) =>
      offered("frozen", "dashboard", isRoot, { frozenBy }).includes("resume"),
    );
  expect(resumed(true)).toEqual([true, true, false, true]);
  expect(resumed(false)).toEqual([false, true, false, true]);
  expect(offered("frozen", "dashboard", false, { frozenBy: "platform" })).toEqual(["plan", "token"]);
});

test("a removal in progress is not offered again", () => {
  const job = { kind: "deprovision" } as Instance["job"];
  const instance = { status: "stopped", managed_by: "dashboard", job } as const;
  expect(isOffered("remove", instance, { isRoot: true, isDeleted: false, frozenBy: null })).toBe(false);
});

const entry = (gateway_id: string, more: Partial<AiGateway> = {}) =>
  ({ id: gateway_id, gateway_id, environment: null, enabled: true, max_instances: 3, bound: 1, ...more }) as AiGateway;

test("an unavailable gateway has a reason and is sorted last", () => {
  const here = { bound: "mine", of: "production" } as const;
  const pool = [
    entry("mine"),
    entry("full", { bound: 3 }),
    entry("off", { enabled: false }),
    entry("staging", { environment: "staging" }),
    entry("some"),
    entry("empty", { bound: 0 }),
  ];
  expect(pool.filter((one) => whyUnavailable(one, here) === undefined).map(({ id }) => id)).toEqual(["some", "empty"]);
  const order = byFreeCapacity(pool, (one) => whyUnavailable(one, here) !== undefined).map(({ id }) => id);
  expect(order.slice(0, 2)).toEqual(["empty", "some"]);
  expect(order.at(-1)).toBe("full");
});

test("the fee of a plan is the one valid today, if any", () => {
  const price = (valid_from: string, micros: number) => ({
    ...{ id: "p", plan: "pro" as const, metric: "flat_fee" as const, unit: "month", per_units: 1, micros, valid_from },
  });
  const prices = [price("2026-01-01", 90), price("2026-11-01", 99), price("2027-01-01", 110)];
  expect([feeOf(prices, "pro", "2026-11-23"), feeOf(prices, "free", "2026-11-23")]).toEqual([99, undefined]);
});

test("an image that cannot read the state requires a backup that it can read", () => {
  const image = { id: "old", gateway: "openclaw", gateway_version: "2026.9.6" } as Image;
  const reported = { gateway: "openclaw", gateway_version: "2026.10.1", worker: null, at: "2026-11-23T10:00:00.000Z" };
  const runs = { image: null, worker: null, reported } as Runs;
  const instance = { runs } as Instance;
  expect(isTooOld(image, runs)).toBe(true);
  expect(isTooOld({ ...image, gateway_version: "2026.10.1" }, runs)).toBe(false);
  expect(isTooOld({ ...image, gateway: "another" }, runs)).toBe(false);
  const backup = (id: string, version: string | null) => ({
    ...{ id, created_at: reported.at, bytes: 1, reason: "unknown" as const, by: null, role: null, kept: false },
    gateway: version === null ? null : { name: "openclaw", version },
  });
  const backups = [backup("new", "2026.10.1"), backup("fits", "2026.9.6"), backup("who", null)];
  expect(readableBackups(backups, image).map(({ id }) => id)).toEqual(["fits"]);
  const draft = { image: "old" };
  expect(versionBody(draft, instance, true)).toBeUndefined();
  expect(versionBody({ ...draft, backup: "fits" }, instance, true)).toEqual({ image_id: "old", backup_id: "fits" });
  expect(versionBody({}, instance, false)).toBeUndefined();
  expect(versionBody({ image: "", worker: "w" }, instance, false)).toEqual({ worker_bundle_id: "w" });
});
