import { expect, test, vi } from "vitest";
import type { Requester } from "#workers/contracts/tenant/backup.ts";
import type { BackupOutcome } from "../backup/outcome.ts";
import type { DoctorOutcome } from "../sandbox/port.ts";
import { memoryStorage } from "../sleep/testing/memory-storage.ts";
import { Doctor, type OrderedRun } from "./doctor.ts";

const FOUND = { check: "core/a", severity: "error", message: "the secret is wrong", hint: "--fix" } as const;

function open({ awake = true, storage = memoryStorage() } = {}) {
  const runs: { repairs: boolean; end: (outcome: DoctorOutcome) => void }[] = [];
  const work: Promise<unknown>[] = [];
  const activity = { wake: "1", idleMs: 0, uptimeMs: 1, activeMs: 0, webSocketSessions: 0 };
  const backUp = vi.fn(async (_: Requester | undefined) => ({ manifest: { id: "backup-1" } }) as BackupOutcome);
  const restart = vi.fn((meanwhile: () => Promise<void>): Promise<unknown> => meanwhile());
  const doctor = new Doctor({
    storage,
    sandbox: {
      listProcesses: async () => ({ processes: [], ...(awake && { activity }) }),
      runDoctor: (repairs) => new Promise((end) => runs.push({ repairs, end })),
    },
    backUp,
    restart,
    recordCall: async () => {},
    mask: (text) => text.replaceAll("secret", "[secret]"),
    record: () => {},
    waitUntil: (one) => void work.push(one),
  });
  return { doctor, runs, backUp, restart, storage, ended: () => Promise.all(work) };
}

const reported = (ordered: OrderedRun) => ("report" in ordered ? ordered.report : expect.fail(ordered.refused.message));
/** Waits until the doctor runs in the container, and ends it. */
async function end({ runs }: ReturnType<typeof open>, outcome: DoctorOutcome): Promise<boolean> {
  await vi.waitFor(() => expect(runs).not.toEqual([]));
  const run = runs.shift();
  run?.end(outcome);
  return run?.repairs ?? expect.fail();
}

test("concurrent orders share one run, and the findings have no secrets", async () => {
  const tenant = open();
  const ordered = await Promise.all([tenant.doctor.order("check"), tenant.doctor.order("check")]);
  expect(ordered.map((one) => reported(one).run)).toMatchObject([{ state: "running" }, { state: "running" }]);
  expect(reported(await tenant.doctor.order("check")).run?.startedAt).toBe(reported(ordered[0]).run?.startedAt);
  expect(await tenant.doctor.order("repair")).toMatchObject({ refused: { reason: "doctor_in_progress" } });
  expect(await end(tenant, { findings: [FOUND] })).toBe(false);
  await tenant.ended();
  expect(tenant.runs).toEqual([]);
  const { run, findings } = await tenant.doctor.report();
  expect(run).toMatchObject({ kind: "check", state: "done" });
  expect(findings).toMatchObject([{ check: "core/a", message: "the [secret] is wrong" }]);
});

test("a finding keeps the time of the first check with it", async () => {
  const tenant = open();
  const check = async (...findings: (typeof FOUND | { check: string; severity: "info"; message: string })[]) => {
    await tenant.doctor.order("check");
    await end(tenant, { findings });
    await tenant.ended();
    return tenant.doctor.report();
  };
  const first = await check(FOUND);
  vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ["Date"] });
  try {
    const second = await check(FOUND, { check: "core/b", severity: "info", message: "m" });
    expect(second.findings.map(({ since }) => since)).toEqual([first.checkedAt, second.checkedAt]);
  } finally {
    vi.useRealTimers();
  }
});

test("a sleeping container is not woken", async () => {
  const tenant = open({ awake: false });
  expect(await tenant.doctor.order("check")).toMatchObject({ refused: { reason: "doctor_needs_awake_container" } });
  expect(await tenant.doctor.report()).toEqual({ findings: [] });
});

test("a repair backs up, repairs while the gateway is stopped, and checks again", async () => {
  const tenant = open();
  const by = { by: "ada@acme.example", role: "ADMIN" };
  expect(reported(await tenant.doctor.order("repair", by)).run).toMatchObject({ kind: "repair", step: "backing_up" });
  expect(await end(tenant, { findings: [] })).toBe(true);
  expect(await end(tenant, { findings: [] })).toBe(false);
  await tenant.ended();
  const { run } = await tenant.doctor.report();
  expect(run).toMatchObject({ kind: "repair", state: "done", backup: "backup-1" });
  expect(tenant.backUp.mock.calls).toEqual([[by]]);
  expect(tenant.restart).toHaveBeenCalledTimes(1);
});

test("without a backup nothing is repaired, and the gateway continues", async () => {
  const tenant = open();
  tenant.backUp.mockRejectedValueOnce(new Error("no secret room"));
  await tenant.doctor.order("repair");
  await tenant.ended();
  const { run } = await tenant.doctor.report();
  expect(run).toMatchObject({ state: "failed", fault: { kind: "not_backed_up", details: "Error: no [secret] room" } });
  expect(tenant.restart).not.toHaveBeenCalled();
});

test("a failed run keeps the findings of the last check", async () => {
  const tenant = open();
  await tenant.doctor.order("check");
  await end(tenant, { findings: [FOUND] });
  await tenant.ended();
  await tenant.doctor.order("check");
  await end(tenant, { fault: "too_slow", details: "" });
  await tenant.ended();
  const { run, findings } = await tenant.doctor.report();
  expect(run).toMatchObject({ state: "failed", fault: { kind: "too_slow" } });
  expect(findings).toHaveLength(1);
});

test("a run that ended with its Worker is reported as interrupted, and another can begin", async () => {
  const before = open();
  await before.doctor.order("check");
  const tenant = open({ storage: before.storage });
  expect((await tenant.doctor.report()).run).toMatchObject({ state: "failed", fault: { kind: "interrupted" } });
  expect(reported(await tenant.doctor.order("check")).run).toMatchObject({ state: "running" });
});
