export interface TenantChange {
  slug: string;
  fate: "created" | "changed" | "replaced" | "removed";
  after?: {
    plan: string;
    /** The earlier plan, if it changed. */
    planBefore?: string | undefined;
    gateway: string;
    gatewayKind: "pooled" | "dedicated" | "external";
    gatewayBefore?: string | undefined;
    /** Recreated parts, such as `Worker`. */
    recreated: readonly string[];
    /** Whether the running container is replaced. */
    restarts: boolean;
  };
}

const FATES = ["created", "changed", "replaced", "removed"] as const;
const WIDTH = Math.max(...FATES.map(({ length }) => length));

const changeText = (before: string | undefined, after: string) =>
  before === undefined || before === after ? after : `${before} → ${after}`;

function tenantChangeDetails({ after }: TenantChange): string {
  if (after === undefined) return "";
  const { plan, planBefore, gateway, gatewayBefore, gatewayKind, recreated, restarts } = after;
  return [
    `plan ${changeText(planBefore, plan)}, AI gateway ${changeText(gatewayBefore, gateway)} (${gatewayKind})`,
    ...(recreated.length > 0 ? [`recreated: ${recreated.join(", ")}`] : []),
    ...(restarts ? ["its container restarts"] : []),
  ].join("; ");
}

/** Returns a line of counts and a line for each change; undefined without tenants. */
export function tenantSummary(
  changes: readonly TenantChange[],
  others: { unchanged: number; unknown: number },
): string | undefined {
  const counts = FATES.map((fate) => [changes.filter((change) => change.fate === fate).length, fate] as const);
  const rest = [
    [others.unchanged, "unchanged (rows, Worker, container)"] as const,
    [others.unknown, "not known before the run"] as const,
  ];
  const nonZero = [...counts, ...rest].filter(([count]) => count > 0);
  if (nonZero.length === 0) return undefined;
  const column = Math.max(0, ...changes.map(({ slug }) => slug.length));
  const lines = changes.map((change) =>
    `  ${change.slug.padEnd(column)}  ${change.fate.padEnd(WIDTH)}  ${tenantChangeDetails(change)}`.trimEnd(),
  );
  return [`tenants: ${nonZero.map(([count, what]) => `${count} ${what}`).join(", ")}`, ...lines].join("\n");
}
