/** Names and ids in a stack's state, which are not secret. */
import * as z from "zod";
import { nameOf } from "#automation/engine/run/resource-names.ts";
import { type ExportedState, qualifiedStack } from "#automation/engine/state/scratch-backend.ts";
import { type Manager, managers } from "#domain/entities/entity.ts";

export interface StackFacts {
  stack: string;
  lastUpdate: string | undefined;
  /** Qualified stack of the platform that it refers to. */
  platform: string | undefined;
  /** Slugs of its clients, also of those that are being created. */
  tenants: readonly string[];
  deployed: ReadonlyMap<string, DeployedTenant>;
  isEmpty: boolean;
  /** By id in the API. */
  resources: ReadonlyMap<string, { type: string; urn: string; name?: string }>;
  /** Operations that did not end, such as `creating … NAME`. */
  pending: readonly string[];
  /** The pending operations as JSON, for a search by name. */
  pendingText: string;
}

export interface DeployedTenant {
  plan: string | undefined;
  gatewayId: string | undefined;
  managedBy: Manager | undefined;
  /** Version of the gateway's token. */
  tokenVersion: string;
}

const CLIENT = "tenantry:components:Client";
const REFERENCE = "pulumi:pulumi:StackReference";
/** Types that have no id in the API. */
const WITHOUT_ID = /^(pulumi:|tenantry:components:)/;

const resource = z.object({
  urn: z.string(),
  type: z.string(),
  id: z.string().optional(),
  inputs: z.record(z.string(), z.unknown()).optional(),
});
type Resource = z.infer<typeof resource>;
const state = z.object({
  resources: z.array(resource).nullish(),
  pending_operations: z.array(z.object({ type: z.string(), resource })).nullish(),
});
/** Types in a URN: of each parent component, then its own. */
const parentTypes = (urn: string): string[] => (urn.split("::")[2] ?? "").split("$");

/** An id may be `{account}/{id}`; the API knows the last part. */
const apiId = (id: string): string => id.split("/").at(-1) ?? id;

export function stackFacts(stack: string, lastUpdate: string | undefined, exported: ExportedState): StackFacts {
  const { resources, pending_operations } = state.parse(exported.deployment);
  const operations = pending_operations ?? [];
  const all = [...(resources ?? []), ...operations.map(({ resource }) => resource)];
  const reference = all.find(({ type }) => type === REFERENCE);
  return {
    stack,
    lastUpdate,
    platform: reference && qualifiedStack(reference.id ?? nameOf(reference.urn)),
    tenants: [...new Set(all.filter(({ type }) => type === CLIENT).map(({ urn }) => nameOf(urn)))],
    deployed: deployedTenants(resources ?? []),
    isEmpty: all.every(({ type }) => type.startsWith("pulumi:")),
    resources: new Map(
      all.flatMap(({ id, type, urn, inputs }) => {
        if (id === undefined || WITHOUT_ID.test(type)) return [];
        const name = inputs?.name;
        return [[apiId(id), { type, urn, ...(typeof name === "string" && { name }) }] as const];
      }),
    ),
    pending: operations.map(({ type, resource: { urn } }) => `${type} ${parentTypes(urn).at(-1)} ${nameOf(urn)}`),
    pendingText: JSON.stringify(exported.deployment.pending_operations ?? []),
  };
}

const SCRIPT = "tenantry:index:NamespacedScript";
const RECORD = "tenantry:index:DatabaseRecord";
const PASSWORD = "random:index/randomPassword:RandomPassword";
const PLAN_TAG = "plan:";
const tagged = z.object({ tags: z.array(z.string()) });
const instanceRow = z.object({
  table: z.literal("tenantry.instances"),
  values: z.object({ ai_gateway_id: z.string(), managed_by: z.enum(managers).optional() }),
});

const rotated = z.object({ keepers: z.object({ version: z.string() }) });

function deployedTenants(resources: readonly Resource[]): Map<string, DeployedTenant> {
  return new Map(
    resources
      .filter(({ type }) => type === SCRIPT)
      .map(({ urn, inputs }) => {
        const slug = nameOf(urn);
        const tags = tagged.safeParse(inputs).data?.tags ?? [];
        const inputsOf = (wanted: string, name: string) =>
          resources.find((one) => one.type === wanted && nameOf(one.urn) === name)?.inputs;
        const row = instanceRow.safeParse(inputsOf(RECORD, `instance-${slug}`)).data?.values;
        return [
          slug,
          {
            plan: tags.find((tag) => tag.startsWith(PLAN_TAG))?.slice(PLAN_TAG.length),
            gatewayId: row?.ai_gateway_id,
            managedBy: row?.managed_by,
            // The first version has no keepers (`components/instance.ts`).
            tokenVersion: rotated.safeParse(inputsOf(PASSWORD, `${slug}-gateway-token`)).data?.keepers.version ?? "1",
          },
        ];
      }),
  );
}
