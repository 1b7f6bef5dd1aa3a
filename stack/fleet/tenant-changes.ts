/** What a run does to each tenant, asked of the provider when it has done all of it. */
import * as pulumi from "@pulumi/pulumi";
import * as z from "zod";
import type { Client } from "#components/client.ts";
import type { TenantryProvider } from "#components/resources/tenantry-provider.ts";
import { CONTAINER_INPUTS } from "#domain/tenants/container-change.ts";
import type { ClientSettings } from "../settings/settings.ts";
import type { FleetPlan } from "./plan.ts";
import type { FleetSnapshot } from "./snapshot.ts";
import { type TenantChange, tenantSummary } from "./tenant-summary.ts";

export interface TenantChangesArgs {
  settings: readonly ClientSettings[];
  /** What was declared for them, by slug. */
  clients: Readonly<Record<string, Client>>;
  plan: FleetPlan;
  /** What the database held before this run. */
  snapshot: FleetSnapshot;
  /** The one that has the clients' resources. */
  provider: TenantryProvider;
}

const answer = z.object({
  steps: z.array(z.object({ urn: z.string(), operation: z.enum(["create", "update"]), paths: z.array(z.string()) })),
});
type Step = z.infer<typeof answer>["steps"][number];

/** A tenant's resources of our own provider, by kind: what is created, and which inputs of what is there change. */
interface Steps {
  created: Set<string>;
  paths: Map<string, readonly string[]>;
}

/** The last resource of each tenant: one that has it was wholly made before. */
const LAST = "RemovalCheck";
/** What is no small change when it is made anew, as the summary calls it. */
const CORE = { NamespacedScript: "Worker", ContainerApplication: "container" };

/**
 * Tells a line a tenant at the end of the run. A run that fails is told nothing, and what keeps the provider from answering is
 * no failure. Of a tenant's rows, Worker and containers alone: what the vendors' providers do they tell nobody.
 */
export function tellTenantChanges(args: TenantChangesArgs): void {
  // The program would end before.
  const done = pulumi.runtime.rpcKeepAlive();
  const told = pulumi.all(Object.values(args.clients).map(({ removal }) => removal.urn)).apply(async () => {
    const summary = await summaryOf(args);
    if (summary !== undefined) await pulumi.log.info(summary);
  });
  pulumi.recover(told, () => undefined).apply(done);
}

async function summaryOf(args: TenantChangesArgs): Promise<string | undefined> {
  const { settings, plan, snapshot, provider } = args;
  const found =
    settings.length === 0
      ? { steps: [] }
      : answer.safeParse(await pulumi.runtime.invoke("tenantry:index:steps", {}, { provider })).data;
  const byTenant = Map.groupBy(found?.steps ?? [], ({ urn }) => slugOf(urn));
  const changes: TenantChange[] = [];
  let unknown = 0;
  for (const client of settings) {
    const steps = stepsOf(byTenant.get(client.slug) ?? []);
    // A provider whose configuration is still to come is asked nothing in a preview.
    if (found === undefined && client.slug in snapshot.clients) unknown += 1;
    else if (found === undefined) changes.push(changeOf(client, { ...steps, created: new Set([LAST]) }, args));
    else if (steps.created.size > 0 || steps.paths.size > 0) changes.push(changeOf(client, steps, args));
  }
  const gone = [...plan.removed].toSorted().map((slug): TenantChange => ({ slug, fate: "removed" }));
  const unchanged = settings.length - changes.length - unknown;
  return tenantSummary([...changes, ...gone], { unchanged, unknown });
}

/** The slug of the tenant that a resource of our own provider belongs to, by its name; undefined for a platform's. */
function slugOf(urn: string): string | undefined {
  const [, , types = "", name = ""] = urn.split("::");
  if (!types.startsWith("tenantry:components:Client$")) return undefined;
  return types.endsWith(":DatabaseRecord") ? name.replace(/^(client|instance)-/, "") : name;
}

function stepsOf(steps: readonly Step[]): Steps {
  const created = new Set<string>();
  const paths = new Map<string, readonly string[]>();
  for (const { urn, operation, paths: changed } of steps) {
    const kind = urn.split("::")[2]?.split(":").at(-1) ?? "";
    if (operation === "create") created.add(kind);
    else paths.set(kind, [...(paths.get(kind) ?? []), ...changed]);
  }
  return { created, paths };
}

function changeOf(
  { slug, plan }: ClientSettings,
  { created, paths }: Steps,
  { plan: { choices }, snapshot }: TenantChangesArgs,
): TenantChange {
  const isNew = created.has(LAST);
  const anew = isNew ? [] : Object.entries(CORE).flatMap(([kind, name]) => (created.has(kind) ? [name] : []));
  const changed = (kind: string, ...names: string[]) => (paths.get(kind) ?? []).some((path) => names.includes(path));
  const { gatewayId = "unknown", kind = "external" } = choices.get(slug) ?? {};
  return {
    slug,
    fate: isNew ? "made" : anew.length > 0 ? "replaced" : "changed",
    after: {
      plan,
      planBefore: changed("DatabaseRecord", "values.billing_plan") ? snapshot.clients[slug]?.plan : undefined,
      gateway: gatewayId,
      gatewayKind: kind,
      gatewayBefore: changed("DatabaseRecord", "values.ai_gateway_id")
        ? snapshot.bindings.get(slug)?.gatewayId
        : undefined,
      anew,
      restarts: changed("ContainerApplication", ...CONTAINER_INPUTS) || anew.includes(CORE.ContainerApplication),
    },
  };
}
