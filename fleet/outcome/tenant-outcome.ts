/** Outcome of a run by tenant, from the changes of its resources. */

import * as z from "zod";
import type { ResourceChange } from "#automation/engine/run/resource-change.ts";
import { nameOf, shortType } from "#automation/engine/run/resource-names.ts";
import { plans } from "#domain/plans/plan.ts";
import { CONTAINER_INPUTS } from "#domain/tenants/container-change.ts";
import type { MonthlyDifference } from "./prices.ts";
import { type Counts, type DriftedResource, NO_COUNTS, type TenantOutcome } from "./report.ts";

export interface StackOutcome {
  tenants: TenantOutcome[];
  others: Counts;
}

export interface OutcomeArgs {
  difference: MonthlyDifference;
  /** Whether tenants are backed up before their containers are replaced. */
  backsUp: boolean;
  /** Whether they are also backed up before their removal. */
  backsUpRemoved: boolean;
}

const CLIENT = "tenantry:components:Client";
const REFERENCE = "pulumi:pulumi:StackReference";
/** The engine's operations for a reference. */
const READ_OPERATIONS: ReadonlySet<string> = new Set(["read", "read-replacement"]);
const COMPONENTS = "tenantry:components:";
const CONTAINERS = "tenantry:index:ContainerApplication";
/** The last resource of each tenant: its creation completes the tenant. */
const LAST_RESOURCE = "tenantry:index:RemovalCheck";
/** Resources whose replacement is reported as the tenant's. */
const MAIN_RESOURCES: ReadonlySet<string> = new Set([CONTAINERS, "tenantry:index:NamespacedScript"]);
/** The engine reports each replacement as these three operations. */
const REPLACEMENT: ReadonlySet<string> = new Set(["replace", "create-replacement", "delete-replaced"]);

const values = z.object({
  billing_plan: z.enum(plans).optional().catch(undefined),
  ai_gateway_id: z.string().optional().catch(undefined),
  ai_gateway_pool_id: z.string().nullish().catch(undefined),
});

/** Ignores the engine's own resources. */
export function stackOutcome(changes: readonly ResourceChange[], args: OutcomeArgs): StackOutcome {
  const slugOf = tenantOf(changes);
  const byTenant = Map.groupBy(
    changes.filter(({ type }) => !type.startsWith("pulumi:")),
    slugOf,
  );
  const others = countsOf(byTenant.get(undefined) ?? []);
  byTenant.delete(undefined);
  const tenants = [...byTenant].map(([slug = "", own]) => tenantOutcome(slug, own, args));
  return { tenants, others };
}

/** Returns the platform's stack that a run chose; `undefined` if it chose none. */
export function referredPlatform(changes: readonly ResourceChange[]): string | undefined {
  const reference = changes.find(({ type, operation }) => type === REFERENCE && READ_OPERATIONS.has(operation));
  return reference && nameOf(reference.urn);
}

export function driftOf(changes: readonly ResourceChange[]): DriftedResource[] {
  const slugOf = tenantOf(changes);
  return changes
    .filter(
      ({ operation, type }) => operation !== "same" && !type.startsWith("pulumi:") && !type.startsWith(COMPONENTS),
    )
    .map((change) => ({
      tenant: slugOf(change) ?? null,
      type: shortType(change.type),
      name: nameOf(change.urn),
      what: change.operation === "delete" ? "gone" : "changed",
      paths: change.paths,
    }));
}

/** Returns a function that finds a resource's client. A refresh reports no components, so URNs decide. */
function tenantOf(changes: readonly ResourceChange[]): (change: ResourceChange) => string | undefined {
  const parents = new Map(changes.map(({ urn, parent }) => [urn, parent]));
  return ({ urn: own, type }) => {
    if (type === CLIENT) return nameOf(own);
    for (let urn = parents.get(own) ?? ""; urn !== ""; urn = parents.get(urn) ?? "") {
      if (urn.split("::")[2]?.split("$").at(-1) === CLIENT) return nameOf(urn);
    }
    return undefined;
  };
}

function tenantOutcome(slug: string, changes: readonly ResourceChange[], args: OutcomeArgs): TenantOutcome {
  const client = changes.find(({ type }) => type === CLIENT)?.operation;
  const resources = countsOf(changes);
  const isCore = ({ type, operation }: ResourceChange) =>
    MAIN_RESOURCES.has(type) && (REPLACEMENT.has(operation) || operation === "create");
  const fate =
    client === "create" || changes.some(({ type, operation }) => type === LAST_RESOURCE && operation === "create")
      ? "made"
      : client === "delete"
        ? "removed"
        : changes.some(isCore)
          ? "replaced"
          : Object.values(resources).some((count) => count > 0)
            ? "changed"
            : "unchanged";
  const before = fate === "made" ? {} : rowsOf(changes, "before");
  const after = fate === "removed" ? {} : rowsOf(changes, "after");
  const plan = { before: before.billing_plan ?? null, after: after.billing_plan ?? null };
  const containerEnds = changes.some(endsContainer);
  return {
    slug,
    fate,
    resources,
    plan,
    aiGateway: {
      before: before.ai_gateway_id ?? null,
      after: after.ai_gateway_id ?? null,
      kind: kindOf(fate === "removed" ? before : after, changes),
    },
    containerEnds,
    backedUpFirst: containerEnds && (fate === "removed" ? args.backsUpRemoved : args.backsUp),
    monthlyDifference: args.difference(plan.before, plan.after),
  };
}

/** Merges the values of the tenant's rows. */
function rowsOf(changes: readonly ResourceChange[], when: "before" | "after"): z.infer<typeof values> {
  return values.parse(Object.assign({}, ...changes.map((change) => change[when] ?? {})));
}

function kindOf(row: z.infer<typeof values>, changes: readonly ResourceChange[]): TenantOutcome["aiGateway"]["kind"] {
  const { ai_gateway_id: id, ai_gateway_pool_id: pool } = row;
  if (id === undefined) return null;
  const own = changes.some(({ type, urn }) => type === `${COMPONENTS}AiGateway` && nameOf(urn) === id);
  if (own) return "dedicated";
  return pool === null || pool === undefined ? "external" : "pooled";
}

function endsContainer({ type, operation, paths }: ResourceChange): boolean {
  if (type !== CONTAINERS) return false;
  if (operation === "delete" || REPLACEMENT.has(operation)) return true;
  return operation === "update" && paths.some((path) => CONTAINER_INPUTS.includes(path));
}

const COUNTED: Readonly<Record<string, keyof Counts>> = {
  create: "made",
  update: "changed",
  delete: "removed",
  "create-replacement": "replaced",
};

function countsOf(changes: readonly ResourceChange[]): Counts {
  const counts = { ...NO_COUNTS };
  for (const { operation, type } of changes) {
    const counted = COUNTED[operation];
    if (counted !== undefined && !type.startsWith(COMPONENTS)) counts[counted] += 1;
  }
  return counts;
}
