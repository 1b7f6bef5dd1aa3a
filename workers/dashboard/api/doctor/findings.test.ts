import { expect, test } from "vitest";
import type { DoctorReport } from "#workers/contracts/tenant/doctor.ts";
import { findingsOf, type Known } from "./findings.ts";

const NOW = Date.parse("2026-11-23T10:00:00.000Z");
const at = (hours: number) => new Date(NOW - hours * 3_600_000).toISOString();
const backup = (hours: number) => ({ id: "b", createdAt: at(hours), bytes: 1 });
const sandbox = { state: "awake", disk: null, memory: null, warnings: [], sleep: null, channels: [] } as const;

/** A healthy instance. */
const healthy: Known = {
  instance: { status: "running", state_cause: null, job: null, runs: { as_wanted: true } },
  incidents: [],
  channels: [],
  keys: [],
  credit: undefined,
  spending: { cap: 10_000_000, maximum: 20_000_000, spent: 7_999_999 },
  gateway: { state: "up", phase: "running", reason: null },
  sandbox: { ...sandbox, warnings: [], channels: [] },
  status: {},
  backups: { backups: [backup(1)] },
  egress: { restartRequired: false, gaps: [] },
};
const found = (change: Partial<Known>, report?: DoctorReport | "not_supported") =>
  findingsOf({ ...healthy, ...change }, report, NOW).map(({ id, severity, repair }) => [id, severity, repair]);

test("a healthy instance has no findings, nor has one of which nothing is known", () => {
  expect(found({})).toEqual([]);
  const unknown = {
    gateway: null,
    sandbox: null,
    status: undefined,
    backups: undefined,
    egress: undefined,
    spending: undefined,
  };
  expect(found(unknown)).toEqual([]);
});

const down = { state: "down", phase: "stopped", reason: "It is away." } as const;
const dead = { kind: "gateway_dead", cause: "It is dead.", remedy: "Restart it.", opened_at: at(1) };
const channel = { id: "c", kind: "telegram", state: "token_rejected", last_error: "Unauthorized." } as const;
const connection = {
  messenger: "irc",
  account: "default",
  label: "IRC",
  condition: "failed" as const,
  reason: "Refused.",
  cause: null,
  remedy: null,
  is_own: true,
  keeps_awake: true,
  webhook_kind: null,
};
const key = { provider: "openai", state: "rejected", last_error: "No.", last_error_at: at(2) } as const;
const version = (name: string) => ({ name: "openclaw", version: name });
const upgrade = { state: "failed", from: version("1"), to: version("2"), backup: "b" } as const;
const trouble = (kind: "refused" | "failed" | "newer-state") => ({
  backups: { backups: [], trouble: { kind, reason: "Full.", since: at(3) } },
});
const credit = (balanceMicros: bigint) => ({ credit: { prepaid: true, balanceMicros, warnBelowMicros: 10n } });

const spent = (dollars: number, cap: number | null = 10) => ({
  spending: { cap: cap === null ? null : cap * 1e6, maximum: 20_000_000, spent: dollars * 1e6 },
});

test.each<[string, Partial<Known>, unknown[]]>([
  ["an error", { instance: { ...healthy.instance, status: "error" } }, [["agent_job_failed", "error", null]]],
  ["no response", { gateway: down }, [["agent_not_responding", "error", "restartInstance"]]],
  ["sleep", { gateway: down, sandbox: { ...sandbox, state: "asleep", warnings: [], channels: [] } }, []],
  ["an incident, once", { gateway: down, incidents: [dead] }, [["incident_gateway_dead", "error", "restartInstance"]]],
  ["a failed probe", { gateway: { ...down, state: "unknown" } }, [["agent_unreachable", "error", null]]],
  ["a failed upgrade", { status: { upgrade } }, [["upgrade_failed", "error", "restoreBackup"]]],
  ["refused backups", trouble("refused"), [["backup_hindered", "error", null]]],
  ["failed backups", trouble("failed"), [["backup_hindered", "error", "backUpInstance"]]],
  ["a newer state", trouble("newer-state"), [["backup_hindered", "error", "restoreBackup"]]],
  ["no backup", { backups: { backups: [] } }, [["backup_missing", "warning", "backUpInstance"]]],
  ["an old backup", { backups: { backups: [backup(25)] } }, [["backup_old", "warning", "backUpInstance"]]],
  [
    "a full disk",
    { sandbox: { ...sandbox, warnings: ["Full."], channels: [] } },
    [["resource_scarce", "warning", null]],
  ],
  ["a channel", { channels: [channel] }, [["channel_faulty", "error", "replaceChannelToken"]]],
  [
    "a connection",
    { sandbox: { ...sandbox, warnings: [], channels: [connection] } },
    [["connection_failed", "error", "replaceChannelToken"]],
  ],
  ["a key", { keys: [key] }, [["provider_key_faulty", "error", "putProviderKey"]]],
  [
    "the network",
    { egress: { restartRequired: true, gaps: ["https"] } },
    [
      ["network_gaps", "error", "restartInstance"],
      ["network_needs_restart", "warning", "restartInstance"],
    ],
  ],
  ["little credit", credit(9n), [["credit_low", "warning", null]]],
  ["no credit", credit(0n), [["credit_exhausted", "error", null]]],
  ["enough credit", credit(11n), []],
  ["little left below the cap", spent(8), [["spending_near_cap", "warning", "setSpendingCap"]]],
  ["the cap reached", spent(10), [["cap_reached", "error", "setSpendingCap"]]],
  ["what the plan permits reached", spent(20, null), [["cap_reached", "error", "changeWorkerPlan"]]],
  ["a cap above what a smaller plan permits", spent(16, 50), [["spending_near_cap", "warning", "changeWorkerPlan"]]],
  ["no cap", { spending: { cap: null, maximum: null, spent: 1e12 } }, []],
  [
    "another version",
    { instance: { ...healthy.instance, runs: { as_wanted: false } } },
    [["agent_version_differs", "info", null]],
  ],
])("finds %s", (_, change, expected) => {
  expect(found(change)).toEqual(expected);
});

test("a finding has its texts and its time", () => {
  expect(findingsOf({ ...healthy, keys: [key] }, undefined, NOW)[0]).toMatchObject({
    source: "platform",
    message: "The provider openai does not accept your key: No.",
    remedy: "Replace the key, or delete it.",
    since: at(2),
  });
});

test("states spending and its cap in dollars", () => {
  expect(findingsOf({ ...healthy, ...spent(8.25) }, undefined, NOW)[0]?.message).toBe(
    "$8.25 of the cap of $10.00 was spent on models in the last 30 days. At the cap, calls are refused.",
  );
});

test("findings of the gateway follow their severity, and are repaired where the gateway says so", () => {
  const since = at(1);
  const finding = { severity: "warning" as const, message: "m", since };
  const report = {
    findings: [
      { ...finding, check: "core/a", hint: "Run openclaw doctor --fix to do it." },
      { ...finding, check: "core/b", severity: "error" as const, hint: "Migrate them by hand.", path: "<b>a</b>" },
      { ...finding, check: "core/c" },
    ],
  };
  expect(found({ backups: { backups: [] } }, report)).toEqual([
    ["core/b", "error", null],
    ["backup_missing", "warning", "backUpInstance"],
    ["core/a", "warning", "repairByDoctor"],
    ["core/c", "warning", null],
  ]);
  expect(found({}, "not_supported")).toEqual([["doctor_not_supported", "info", null]]);
});
