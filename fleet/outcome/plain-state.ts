import * as z from "zod";
import { nameOf } from "#automation/engine/run/resource-names.ts";
import type { ExportedState } from "#automation/engine/state/scratch-backend.ts";
import { client } from "#domain/entities/client.ts";
import type { Manager } from "#domain/entities/entity.ts";
import { type Plan, plans } from "#domain/plans/plan.ts";
import { instanceTypes } from "#domain/tenants/instance-type.ts";

/** A deployed tenant. `undefined`: not in the state. */
export interface DeployedTenant {
  name: string | undefined;
  managedBy: Manager | undefined;
  plan: Plan | undefined;
  status: string | undefined;
  gateway: string | undefined;
  image: string | undefined;
  instanceType: string | undefined;
  /** Columns of the client's row that the stack declares. */
  columns: Readonly<Record<string, unknown>>;
}

export interface PlatformContainers {
  image: string;
  /** Instance type by plan. A platform lacks plans that are newer than its deployment. */
  types: Readonly<Partial<Record<Plan, string>>>;
}

const resource = z.object({
  urn: z.string(),
  type: z.string(),
  outputs: z.record(z.string(), z.unknown()).catch({}).default({}),
});
const columns = z.record(z.string(), z.unknown()).catch({});
const row = z.object({
  name: client.shape.name.optional().catch(undefined),
  billing_plan: client.shape.billing_plan.optional().catch(undefined),
  // An instance has a status of its own.
  status: z.string().optional().catch(undefined),
  ai_gateway_id: z.string().optional().catch(undefined),
  managed_by: client.shape.managed_by.optional().catch(undefined),
});
const containers = z.object({
  image: z.string().optional().catch(undefined),
  instanceType: z.string().optional().catch(undefined),
});
const platform = z.object({
  platform: z.object({ containerImage: z.string(), containers: z.partialRecord(z.enum(plans), z.enum(instanceTypes)) }),
});

export function deployedTenants(state: ExportedState | undefined): Map<string, DeployedTenant> {
  const resources = (state?.deployment.resources ?? []).map((listed) => resource.parse(listed));
  const find = (type: string, name: string) =>
    resources.find(({ urn, type: found }) => found === type && urn.endsWith(`::${name}`))?.outputs ?? {};
  const columnsOf = (name: string) => columns.parse(find("tenantry:index:DatabaseRecord", name).values);
  return new Map(
    resources
      .filter(({ type }) => type === "tenantry:components:Client")
      .map(({ urn }) => {
        const slug = nameOf(urn);
        const client = columnsOf(`client-${slug}`);
        const { name, billing_plan: plan, status } = row.parse(client);
        const { image, instanceType } = containers.parse(find("tenantry:index:ContainerApplication", slug));
        const { ai_gateway_id: gateway, managed_by: managedBy } = row.parse(columnsOf(`instance-${slug}`));
        return [slug, { name, managedBy, plan, status, gateway, image, instanceType, columns: client }];
      }),
  );
}

/** Whether the dashboard manages all tenants of a state, and there is at least one. */
export function isDashboards(state: ExportedState | undefined): boolean {
  const tenants = [...deployedTenants(state).values()];
  return tenants.length > 0 && tenants.every(({ managedBy }) => managedBy === "dashboard");
}

/** Returns `undefined` if no platform of this version is deployed. */
export function platformContainers(state: ExportedState | undefined): PlatformContainers | undefined {
  const stack = state?.deployment.resources?.find(({ type }) => type === "pulumi:pulumi:Stack");
  const found = platform.safeParse(stack?.outputs).data?.platform;
  return found && { image: found.containerImage, types: found.containers };
}
