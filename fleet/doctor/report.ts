/** What the doctor found and did, as pipelines read it (`--json`). Times are ISO 8601. */

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
  "restore",
] as const;
export type FindingKind = (typeof findingKinds)[number];

/** What becomes of a thing that nobody owns. */
export interface Removal {
  /**
   * `claimed`: somebody has it after all, and it stays. `early`: not seen for long enough. `due`: `--fix` removes it. `removed`: it did.
   * `held`: looked at right before, it was to stay. `failed`: the API refused.
   */
  state: "claimed" | "early" | "due" | "removed" | "held" | "failed";
  /** Why, of `claimed`, `held` and `failed`; else `null`. */
  why: string | null;
  /** From when on `--fix` may remove it, of `early`; else `null`. */
  after: string | null;
}

export interface ReportedFinding {
  kind: FindingKind;
  /** What it is, such as `Access application`. */
  what: string;
  name: string;
  /** What never changes of it. */
  identity: string;
  /** Slug; `null` where it is no tenant's. */
  tenant: string | null;
  createdAt: string | null;
  /** When a look saw it first; `null` where the database could not be asked. */
  firstSeen: string | null;
  /** What is wrong, one sentence. */
  why: string;
  /** What to do, with the command where there is one. */
  remedy: string;
  /** `null` for what `--fix` never removes. */
  removal: Removal | null;
}

/** A bucket that stays when its client goes, as production's do: no fault. */
export interface KeptBucket {
  name: string;
  tenant: string;
  createdAt: string | null;
  objects: number;
  bytes: number;
  /** Whether there is more than was counted, a thousand objects. */
  more: boolean;
}

export interface PlatformReport {
  /** Of the platform. */
  stack: string;
  environment: string;
  findings: ReportedFinding[];
  kept: KeptBucket[];
  /** What could not be looked at, and so is not told of, a sentence each. */
  unlooked: string[];
}

export interface DoctorReport {
  command: "doctor";
  /** Whether `--fix` was given. */
  fix: boolean;
  graceHours: number;
  platforms: PlatformReport[];
}

/**
 * The code that the process ends with: 1 where something could not be looked at or removed. Else 0 or, where the caller asks for more
 * detail, 2 where something that was found is still there.
 */
export function doctorExitCode({ platforms }: DoctorReport, detailed: boolean): 0 | 1 | 2 {
  const findings = platforms.flatMap((platform) => platform.findings);
  if (platforms.some(({ unlooked }) => unlooked.length > 0)) return 1;
  if (findings.some(({ removal }) => removal?.state === "failed")) return 1;
  return detailed && findings.some(({ removal }) => removal?.state !== "removed") ? 2 : 0;
}
