/** What a run over stacks of tenants found or did, as pipelines read it (`--json`). Amounts are in micro-units, 1,000,000 a US dollar. */
import type { Plan } from "#domain/plans/plan.ts";

/** Numbers of resources, without components. */
export interface Counts {
  made: number;
  changed: number;
  replaced: number;
  removed: number;
}

export interface TenantOutcome {
  slug: string;
  fate: "made" | "changed" | "replaced" | "removed" | "unchanged";
  /** `null` where the engine was not asked. */
  resources: Counts | null;
  /** `before` is `null` for a tenant that is made, `after` for one that is removed. */
  plan: { before: Plan | null; after: Plan | null };
  /** Likewise; `after` is `null` too where the run chooses it. `kind` is `null` where it is not known. */
  aiGateway: { before: string | null; after: string | null; kind: "pooled" | "dedicated" | "external" | null };
  /** Whether the container that runs is ended for another, or for good. */
  containerEnds: boolean;
  /** Whether the tenant is backed up before that. */
  backedUpFirst: boolean;
  /** By how much the flat fee of a month changes. */
  monthlyDifference: number;
}

export interface DriftedResource {
  /** Slug; `null` for what several tenants share. */
  tenant: string | null;
  type: string;
  name: string;
  what: "changed" | "gone";
  /** Paths of what was changed. */
  paths: string[];
}

export interface StackReport {
  stack: string;
  /** Name of its file. */
  file: string;
  /** Whether the file is gone, so that all of the stack is to go. */
  removal: boolean;
  /** `engine`: planned by it. `files`: read from the file and the state's plain values, for lack of the passphrase. `none`: not looked at. */
  basis: "engine" | "files" | "none";
  /** Where its file names several platforms, the one of its tenants, as the file names it; `null` else, or while it is to be chosen. */
  platform: string | null;
  tenants: TenantOutcome[];
  /** What belongs to none of its tenants, such as partners. */
  others: Counts;
  drift: DriftedResource[];
  /** What is to be known besides, a sentence each. */
  notes: string[];
  /** Why there is nothing more to tell; `null` when all went well. */
  fault: string | null;
}

export interface FleetReport {
  command: "preview" | "up" | "drift";
  /** What changed files were looked for since; `null` for all files. */
  since: string | null;
  stacks: StackReport[];
}

export const NO_COUNTS: Counts = { made: 0, changed: 0, replaced: 0, removed: 0 };

/** A report of a stack of which nothing is known yet. */
export function emptyReport(stack: string, file: string, removal: boolean): StackReport {
  const nothing = { tenants: [], others: NO_COUNTS, drift: [], notes: [], fault: null };
  return { stack, file, removal, basis: "none", platform: null, ...nothing };
}

/** Whether anything is to be done there, was done, or has drifted. */
export function hasChanges({ tenants, others, drift, removal, basis }: StackReport): boolean {
  return (
    tenants.some(({ fate }) => fate !== "unchanged") ||
    Object.values(others).some((count) => count > 0) ||
    drift.length > 0 ||
    // A removal that was held back.
    (removal && basis === "none")
  );
}

/**
 * The code that the process ends with: 1 where a stack failed. Else 0 or, where the caller asks for more detail, 2 where anything is to
 * be done or has drifted; of `up`, where something is left to be done.
 */
export function exitCode({ command, stacks }: FleetReport, detailed: boolean): 0 | 1 | 2 {
  if (stacks.some(({ fault }) => fault !== null)) return 1;
  const left =
    command === "up" ? stacks.some(({ removal, basis }) => removal && basis === "none") : stacks.some(hasChanges);
  return detailed && left ? 2 : 0;
}
