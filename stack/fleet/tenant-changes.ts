import * as pulumi from "@pulumi/pulumi";
import * as z from "zod";
import type { Client } from "#components/client.ts";
import { CONTAINER_INPUTS } from "#domain/tenants/container-change.ts";
import type { ClientSettings } from "../settings/settings.ts";
import type { FleetArgs } from "./fleet.ts";
import { type TenantChange, tenantSummary } from "./tenant-summary.ts";

interface TenantChangesArgs extends Pick<FleetArgs, "plan" | "snapshot" | "provider"> {
  settings: readonly ClientSettings[];
  clients: Readonly<Record<string, Client>>;
}

const stepsResponse = z.object({
  steps: z.array(z.object({ urn: z.string(), operation: z.enum(["create", "update"]), paths: z.array(z.string()) })),
});
type Step = z.infer<typeof stepsResponse>["steps"][number];

/** A tenant's resources of the provider `tenantry` by kind: created ones, and changed inputs of existing ones. */
interface Steps {
  created: Set<string>;
  paths: Map<string, readonly string[]>;
}

/** The last resource of each tenant, so an existing one means that the tenant was fully deployed before. */
const LAST = "RemovalCheck";
/** Kinds whose recreation the summary reports, with their names there. */
const CORE = { NamespacedScript: "Worker", ContainerApplication: "container" };

/**
 * Logs a line for each changed tenant at the end of a successful run. A failure to get the steps is ignored. Steps of vendors'
 * providers are not available, so the summary covers rows, Worker and containers.
 */
export function reportTenantChanges(args: TenantChangesArgs): void {
  // Without it the program would exit before the last step.
  const done = pulumi.runtime.rpcKeepAlive();
  const reported = pulumi.all(Object.values(args.clients).map(({ removal }) => removal.urn)).apply(async () => {
    const summary = await summaryOf(args);
    if (summary !== undefined) await pulumi.log.info(summary);
  });
  pulumi.recover(reported, () => undefined).apply(done);
}

async function summaryOf(args: TenantChangesArgs): Promise<string | undefined> {
  const { settings, plan, snapshot, provider } = args;
  const found =
    settings.length === 0
      ? { steps: [] }
      : stepsResponse.safeParse(await pulumi.runtime.invoke("tenantry:index:steps", {}, { provider })).data;
  const byTenant = Map.groupBy(found?.steps ?? [], ({ urn }) => slugOf(urn));
  const changes: TenantChange[] = [];
  let unknown = 0;
  for (const client of settings) {
    const steps = stepsOf(byTenant.get(client.slug) ?? []);
    // In a preview, a provider with unknown configuration returns no steps.
    if (found === undefined && client.slug in snapshot.clients) unknown += 1;
    else if (found === undefined) changes.push(changeOf(client, { ...steps, created: new Set([LAST]) }, args));
    else if (steps.created.size > 0 || steps.paths.size > 0) changes.push(changeOf(client, steps, args));
  }
  const removed = [...plan.removed].toSorted().map((slug): TenantChange => ({ slug, fate: "removed" }));
  const unchanged = settings.length - changes.length - unknown;
  return tenantSummary([...changes, ...removed], { unchanged, unknown });
}

/** Returns the slug of the tenant that a resource belongs to; undefined for the platform's resources. */
function slugOf(urn: string): string | undefined {
  const [, , types = "", name = ""] = urn.split("::");
  if (!types.startsWith("tenantry:components:Client$")) return undefined;
  if (types.endsWith(":Door")) return name.split(".")[0];
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
  const recreated = isNew ? [] : Object.entries(CORE).flatMap(([kind, name]) => (created.has(kind) ? [name] : []));
  const changed = (kind: string, ...names: string[]) => (paths.get(kind) ?? []).some((path) => names.includes(path));
  const { gatewayId = "unknown", kind = "external" } = choices.get(slug) ?? {};
  return {
    slug,
    fate: isNew ? "created" : recreated.length > 0 ? "replaced" : "changed",
    after: {
      plan,
      planBefore: changed("DatabaseRecord", "values.billing_plan") ? snapshot.clients[slug]?.plan : undefined,
      gateway: gatewayId,
      gatewayKind: kind,
      gatewayBefore: changed("DatabaseRecord", "values.ai_gateway_id")
        ? snapshot.bindings.get(slug)?.gatewayId
        : undefined,
      recreated,
      restarts: changed("ContainerApplication", ...CONTAINER_INPUTS) || recreated.includes(CORE.ContainerApplication),
    },
  };
}
