/** Report of a run over stacks of tenants, in the form of `--json`. Amounts are in micro-units: 1,000,000 are a US dollar. */
import type { Plan } from "#domain/plans/plan.ts";

/** Numbers of resources that are not components. */
export interface Counts {
  made: number;
  changed: number;
  replaced: number;
  removed: number;
}

export interface TenantOutcome {
  slug: string;
  fate: "made" | "changed" | "replaced" | "removed" | "unchanged";
  /** `null` if the engine did not run. */
  resources: Counts | null;
  /** `before` is `null` for a new tenant, `after` for a removed one. */
  plan: { before: Plan | null; after: Plan | null };
  /** As for `plan`. `after` is also `null` if the run chooses it. `kind` is `null` if unknown. */
  aiGateway: { before: string | null; after: string | null; kind: "pooled" | "dedicated" | "external" | null };
  /** Whether the running container is replaced or removed. */
  containerEnds: boolean;
  /** Whether the tenant is backed up before its container ends. */
  backedUpFirst: boolean;
  monthlyDifference: number;
}

export interface DriftedResource {
  /** Slug; `null` for a resource that several tenants share. */
  tenant: string | null;
  type: string;
  name: string;
  what: "changed" | "gone";
  paths: string[];
}

export interface StackReport {
  stack: string;
  file: string;
  /** Whether its file was deleted, so the stack is to be destroyed. */
  removal: boolean;
  /** `engine`: by a run of the engine. `files`: by the file and plain values of the state, without the passphrase. `none`: not run. */
  basis: "engine" | "files" | "none";
  /** The chosen platform if the file names several; `null` otherwise. */
  platform: string | null;
  tenants: TenantOutcome[];
  /** Resources of no tenant, such as partners. */
  others: Counts;
  drift: DriftedResource[];
  /** One sentence each. */
  notes: string[];
  /** Why it failed; `null` on success. */
  fault: string | null;
}

export interface FleetReport {
  command: "preview" | "up" | "drift";
  /** Value of `--since`; `null` for all files. */
  since: string | null;
  stacks: StackReport[];
}

export const NO_COUNTS: Counts = { made: 0, changed: 0, replaced: 0, removed: 0 };

export function emptyReport(stack: string, file: string, removal: boolean): StackReport {
  const nothing = { tenants: [], others: NO_COUNTS, drift: [], notes: [], fault: null };
  return { stack, file, removal, basis: "none", platform: null, ...nothing };
}

export function hasChanges({ tenants, others, drift, removal, basis }: StackReport): boolean {
  return (
    tenants.some(({ fate }) => fate !== "unchanged") ||
    Object.values(others).some((count) => count > 0) ||
    drift.length > 0 ||
    // A removal without `--destroy`.
    (removal && basis === "none")
  );
}

/** Returns 1 if a stack failed. Otherwise 0 or, with `detailed`, 2 if changes, drift or a deleted file's stack remain. */
export function exitCode({ command, stacks }: FleetReport, detailed: boolean): 0 | 1 | 2 {
  if (stacks.some(({ fault }) => fault !== null)) return 1;
  const left =
    command === "up" ? stacks.some(({ removal, basis }) => removal && basis === "none") : stacks.some(hasChanges);
  return detailed && left ? 2 : 0;
}
