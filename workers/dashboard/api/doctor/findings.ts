/** The platform's checks of an instance: what health, incidents, backups, channels, network, keys, credit and version say, as findings. */
import type { SpendingCap } from "#database/billing/spending-cap.ts";
import type { CreditPool } from "#domain/billing/credit-state.ts";
import { channelFaults } from "#domain/channels/channel.ts";
import { type ErrorEntry, errorText, type Named, type ValuesArgument } from "#domain/errors/catalogue.ts";
import { doctorFindings as texts } from "#domain/errors/tenants/doctor.ts";
import type { ProviderKeyState } from "#domain/provider-keys/providers.ts";
import type { InstanceHealth } from "#workers/contracts/api/instances/instance-health.ts";
import type { Instance } from "#workers/contracts/api/instances/instances.ts";
import type { Channel } from "#workers/contracts/api/tenants/channels.ts";
import type { DoctorFinding, DoctorRepair } from "#workers/contracts/api/tenants/doctor.ts";
import type { BackupReport } from "#workers/contracts/tenant/backup.ts";
import type { DoctorReport } from "#workers/contracts/tenant/doctor.ts";
import type { EgressReport } from "#workers/contracts/tenant/egress.ts";
import type { SandboxStatus } from "#workers/contracts/tenant/sandbox-status.ts";
import { dollars } from "../billing/invoice-texts.ts";

const DAY_MS = 86_400_000;
const NEAR_CAP = 0.8;

/** What is known of an instance. A part is undefined if it is unknown. */
export interface Known {
  instance: Pick<Instance, "status" | "state_cause" | "job"> & { runs: Pick<Instance["runs"], "as_wanted"> };
  incidents: readonly Pick<InstanceHealth["incidents"][number], "kind" | "cause" | "remedy" | "opened_at">[];
  channels: readonly Pick<Channel, "id" | "kind" | "state" | "last_error">[];
  keys: readonly {
    provider: string;
    state: ProviderKeyState;
    last_error: string | null;
    last_error_at: string | null;
  }[];
  credit: Pick<CreditPool, "prepaid" | "balanceMicros" | "warnBelowMicros"> | undefined;
  spending: SpendingCap | undefined;
  /** Null for an instance that is not probed. */
  gateway: Pick<InstanceHealth["gateway"], "state" | "phase" | "reason"> | null;
  sandbox: InstanceHealth["sandbox"];
  status: Pick<SandboxStatus, "upgrade"> | undefined;
  backups: Pick<BackupReport, "backups" | "trouble"> | undefined;
  egress: Pick<EgressReport, "restartRequired" | "gaps"> | undefined;
}

interface Details {
  severity?: DoctorFinding["severity"];
  since?: string | null;
  repair?: DoctorRepair | null;
}

function stated<E extends Named<ErrorEntry>>(entry: E, details: Details, ...values: ValuesArgument<E>): DoctorFinding {
  const { message, remedy } = entry;
  const text = (template: string) => errorText({ message: template, remedy: "" }, ...(values as [])).trim();
  return given(entry.reason, { ...details, message: text(message), remedy: text(remedy) });
}

const given = (
  id: string,
  {
    severity = "warning",
    since = null,
    repair = null,
    message,
    remedy,
  }: Details & { message: string; remedy: string | null },
): DoctorFinding => ({ id, source: "platform", severity, message, remedy, path: null, since, repair });

const INCIDENT_REPAIRS: Readonly<Record<string, DoctorRepair>> = {
  gateway_dead: "restartInstance",
  backup_failing: "backUpInstance",
  inbox_full: "replayInbox",
};

type Check = (known: Known, now: number) => DoctorFinding[];

const CHECKS: readonly Check[] = [
  ({ instance: { status, state_cause } }) =>
    status === "error" ? [stated(texts.agent_job_failed, { severity: "error" }, { fault: state_cause ?? "" })] : [],
  ({ incidents }) =>
    incidents.map(({ kind, cause, remedy, opened_at }) =>
      given(`incident_${kind}`, {
        ...{ severity: "error", since: opened_at, message: cause, remedy },
        repair: INCIDENT_REPAIRS[kind] ?? null,
      }),
    ),
  ({ gateway, sandbox, incidents }) => {
    const isAsleep = sandbox?.state === "asleep" || gateway?.phase === "starting";
    if (gateway === null || gateway.state === "up" || isAsleep) return [];
    const fault = gateway.reason ?? "";
    if (gateway.state === "unknown") return [stated(texts.agent_unreachable, { severity: "error" }, { fault })];
    if (incidents.some(({ kind }) => kind === "gateway_dead")) return [];
    return [stated(texts.agent_not_responding, { severity: "error", repair: "restartInstance" }, { fault })];
  },
  ({ status }) => {
    const { upgrade } = status ?? {};
    if (upgrade?.state !== "failed") return [];
    const { from, to, failure, remedy = "" } = upgrade;
    const values = { from: from.version, to: to.version, fault: failure?.message ?? "", remedy };
    const details = { severity: "error", since: failure?.at ?? null, repair: "restoreBackup" } as const;
    return [stated(texts.upgrade_failed, details, values)];
  },
  ({ backups, sandbox }, now) => {
    if (backups === undefined) return [];
    const { trouble, backups: listed } = backups;
    if (trouble !== undefined) {
      const { kind, reason: fault, since, remedy = "" } = trouble;
      const repair = kind === "failed" ? "backUpInstance" : kind === "newer-state" ? "restoreBackup" : null;
      return [stated(texts.backup_hindered, { severity: "error", since, repair }, { fault, remedy })];
    }
    if (sandbox?.state !== "awake") return [];
    const newest = listed[0]?.createdAt;
    if (newest === undefined) return [stated(texts.backup_missing, { repair: "backUpInstance" })];
    if (now - Date.parse(newest) < DAY_MS) return [];
    return [stated(texts.backup_old, { since: newest, repair: "backUpInstance" }, { time: newest })];
  },
  ({ sandbox }) => (sandbox?.warnings ?? []).map((fault) => stated(texts.resource_scarce, {}, { fault })),
  ({ channels }) =>
    channels
      .filter(({ state }) => channelFaults.some((fault) => fault === state))
      .map(({ kind, last_error }) =>
        stated(
          texts.channel_faulty,
          { severity: "error", repair: "replaceChannelToken" },
          { kind, fault: last_error ?? "" },
        ),
      ),
  ({ sandbox }) =>
    (sandbox?.channels ?? [])
      .filter(({ condition }) => condition === "failed")
      .map(({ label, reason, remedy, is_own }) =>
        stated(
          texts.connection_failed,
          { severity: "error", repair: is_own ? "replaceChannelToken" : null },
          { messenger: label, fault: reason ?? "", remedy: remedy ?? "" },
        ),
      ),
  ({ keys }) =>
    keys
      .filter(({ state }) => state !== "active" && state !== "pushing")
      .map(({ provider, last_error, last_error_at: since }) =>
        stated(
          texts.provider_key_faulty,
          { severity: "error", since, repair: "putProviderKey" },
          { provider, fault: last_error ?? "" },
        ),
      ),
  ({ egress }) => [
    ...(egress?.restartRequired ? [stated(texts.network_needs_restart, { repair: "restartInstance" })] : []),
    ...(egress !== undefined && egress.gaps.length > 0
      ? [stated(texts.network_gaps, { severity: "error", repair: "restartInstance" }, { gaps: egress.gaps.join(", ") })]
      : []),
  ],
  ({ credit }) => {
    if (credit === undefined || !credit.prepaid || credit.balanceMicros > credit.warnBelowMicros) return [];
    return credit.balanceMicros > 0n
      ? [stated(texts.credit_low, {})]
      : [stated(texts.credit_exhausted, { severity: "error" })];
  },
  ({ spending }) => {
    if (spending === undefined) return [];
    const { cap, maximum, spent } = spending;
    const limit = Math.min(cap ?? Number.POSITIVE_INFINITY, maximum ?? Number.POSITIVE_INFINITY);
    if (limit === Number.POSITIVE_INFINITY || spent < limit * NEAR_CAP) return [];
    // Only another plan permits more than its maximum.
    const repair = maximum === null || limit < maximum ? "setSpendingCap" : "changeWorkerPlan";
    const values = { spent: dollars(spent), cap: dollars(limit) };
    return spent < limit
      ? [stated(texts.spending_near_cap, { repair }, values)]
      : [stated(texts.cap_reached, { severity: "error", repair }, values)];
  },
  ({ instance: { job, runs } }) =>
    runs.as_wanted === false && job === null ? [stated(texts.agent_version_differs, { severity: "info" })] : [],
];

const ORDER: readonly DoctorFinding["severity"][] = ["error", "warning", "info"];

/** @param now milliseconds since the epoch */
export function findingsOf(
  known: Known,
  report: DoctorReport | "not_supported" | undefined,
  now: number,
): DoctorFinding[] {
  const ofPlatform = CHECKS.flatMap((check) => check(known, now));
  const ofGateway =
    report === "not_supported"
      ? [stated(texts.doctor_not_supported, { severity: "info" })]
      : (report?.findings ?? []).map(
          ({ check, severity, message, path = null, hint = null, since }): DoctorFinding => ({
            ...{ id: check, source: "gateway", severity, message, path, since },
            ...{ remedy: hint, repair: isRepairable(hint) ? "repairByDoctor" : null },
          }),
        );
  return [...ofPlatform, ...ofGateway].sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
}

/** OpenClaw names its repair in the hint of each finding that it repairs. */
const isRepairable = (hint: string | null): boolean => hint !== null && /doctor\b[^.]*--(?:fix|repair)\b/.test(hint);
