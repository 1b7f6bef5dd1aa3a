/** Report of `fleet doctor`, in the form of `--json`. Times are ISO 8601. */

export const findingKinds = [
  "schema",
  "interrupted_run",
  "stack_without_row",
  "row_without_stack",
  "deployed_tenant",
  "member",
  "unknown_resource",
  "token",
  "bucket_without_owner",
  "late_job",
  "failed_push",
  "refused_channel",
  "restore",
] as const;
export type FindingKind = (typeof findingKinds)[number];

/** Removal of a resource without an owner. */
export interface Removal {
  /**
   * `claimed`: it has an owner after all. `early`: not seen for long enough. `due`: `--fix` removes it. `removed`: `--fix` removed it.
   * `held`: a check before the removal found a reason to keep it. `failed`: the API refused.
   */
  state: "claimed" | "early" | "due" | "removed" | "held" | "failed";
  /** Reason of `claimed`, `held` and `failed`; otherwise `null`. */
  why: string | null;
  /** Time from which `--fix` removes it, of `early`; otherwise `null`. */
  after: string | null;
}

export interface ReportedFinding {
  kind: FindingKind;
  /** Such as `Access application`. */
  what: string;
  name: string;
  /** Never changes. */
  identity: string;
  /** Slug; `null` if it belongs to no tenant. */
  tenant: string | null;
  createdAt: string | null;
  /** `null` if the database cannot be read. */
  firstSeen: string | null;
  why: string;
  remedy: string;
  /** `null` if `--fix` never removes it. */
  removal: Removal | null;
}

/** A bucket of production that stays after its client was deleted; not a fault. */
export interface KeptBucket {
  name: string;
  tenant: string;
  createdAt: string | null;
  objects: number;
  bytes: number;
  /** Whether it has more than the 1,000 objects that were counted. */
  more: boolean;
}

export interface PlatformReport {
  stack: string;
  environment: string;
  findings: ReportedFinding[];
  kept: KeptBucket[];
  /** Checks that failed, one sentence each. */
  failedChecks: string[];
}

export interface DoctorReport {
  command: "doctor";
  fix: boolean;
  graceHours: number;
  platforms: PlatformReport[];
}

/** Returns 1 if a check or removal failed. Otherwise 0 or, with `detailed`, 2 if findings remain. */
export function doctorExitCode({ platforms }: DoctorReport, detailed: boolean): 0 | 1 | 2 {
  const findings = platforms.flatMap((platform) => platform.findings);
  if (platforms.some(({ failedChecks }) => failedChecks.length > 0)) return 1;
  if (findings.some(({ removal }) => removal?.state === "failed")) return 1;
  return detailed && findings.some(({ removal }) => removal?.state !== "removed") ? 2 : 0;
}
