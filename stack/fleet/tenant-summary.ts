/** The lines that tell what a run does to tenants. */

/** What becomes of a tenant that does not stay as it is. */
export interface TenantChange {
  slug: string;
  fate: "made" | "changed" | "replaced" | "removed";
  /** Undefined where the tenant is removed. */
  after?: {
    plan: string;
    /** The plan that it had, where that was another. */
    planBefore?: string | undefined;
    gateway: string;
    gatewayKind: "pooled" | "dedicated" | "external";
    /** The AI gateway that it had, where that was another. */
    gatewayBefore?: string | undefined;
    /** What of it is made anew, such as `Worker`. */
    anew: readonly string[];
    /** Whether the container that runs is ended for another. */
    restarts: boolean;
  };
}

const FATES = ["made", "changed", "replaced", "removed"] as const;
const WIDTH = Math.max(...FATES.map(({ length }) => length));

const step = (before: string | undefined, after: string) =>
  before === undefined || before === after ? after : `${before} → ${after}`;

function details({ after }: TenantChange): string {
  if (after === undefined) return "";
  const { plan, planBefore, gateway, gatewayBefore, gatewayKind, anew, restarts } = after;
  return [
    `plan ${step(planBefore, plan)}, AI gateway ${step(gatewayBefore, gateway)} (${gatewayKind})`,
    ...(anew.length > 0 ? [`made anew: ${anew.join(", ")}`] : []),
    ...(restarts ? ["its container restarts"] : []),
  ].join("; ");
}

/**
 * @param others how many are not told of: unchanged, or not known yet
 * @returns several lines, the first of which counts; undefined where there are no tenants
 */
export function tenantSummary(
  changes: readonly TenantChange[],
  others: { unchanged: number; unknown: number },
): string | undefined {
  const counts = FATES.map((fate) => [changes.filter((change) => change.fate === fate).length, fate] as const);
  const rest = [
    [others.unchanged, "unchanged (rows, Worker, container)"] as const,
    [others.unknown, "not known before the run"] as const,
  ];
  const told = [...counts, ...rest].filter(([count]) => count > 0);
  if (told.length === 0) return undefined;
  const column = Math.max(0, ...changes.map(({ slug }) => slug.length));
  const lines = changes.map((change) =>
    `  ${change.slug.padEnd(column)}  ${change.fate.padEnd(WIDTH)}  ${details(change)}`.trimEnd(),
  );
  return [`tenants: ${told.map(([count, what]) => `${count} ${what}`).join(", ")}`, ...lines].join("\n");
}
