/** What a stack's state tells of tenants and of the account's things: names and ids alone, which are no secrets. */
import * as z from "zod";
import { nameOf } from "#automation/engine/run/resource-names.ts";
import { type ExportedState, qualifiedStack } from "#automation/engine/state/scratch-backend.ts";

export interface StackFacts {
  /** As the backend lists it. */
  stack: string;
  /** When it was written last. */
  lastUpdate: string | undefined;
  /** The platform that it refers to, qualified; `undefined` for none. */
  platform: string | undefined;
  /** Slugs of its clients, those that are only begun too. */
  tenants: readonly string[];
  /** What is deployed of each tenant, as far as the state tells. */
  deployed: ReadonlyMap<string, DeployedTenant>;
  /** Whether it has nothing but itself. */
  isEmpty: boolean;
  /** Resources by the id that the API knows them by. */
  resources: ReadonlyMap<string, { type: string; urn: string }>;
  /** What a run has begun and nobody saw the end of, a sentence's end each. */
  pending: readonly string[];
  /** All that is said of it, to look names up in. */
  pendingText: string;
}

export interface DeployedTenant {
  plan: string | undefined;
  gatewayId: string | undefined;
  managedBy: "git" | "dashboard" | undefined;
  /** Of the gateway's token. */
  tokenVersion: string;
}

const CLIENT = "tenantry:components:Client";
const REFERENCE = "pulumi:pulumi:StackReference";
/** The engine's own, and what is nothing by itself. */
const OWN = /^(pulumi:|tenantry:components:)/;

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
/** Parts of a URN's type: each component above it, and its own. */
const parentTypes = (urn: string): string[] => (urn.split("::")[2] ?? "").split("$");

/** Of `{account}/{id}` the last part alone is what the API knows. */
const apiId = (id: string): string => id.split("/").at(-1) ?? id;

/** @throws ZodError for a state that is none */
export function stackFacts(stack: string, lastUpdate: string | undefined, exported: ExportedState): StackFacts {
  const { resources, pending_operations } = state.parse(exported.deployment);
  const operations = pending_operations ?? [];
  const all = [...(resources ?? []), ...operations.map((one) => one.resource)];
  const reference = all.find(({ type }) => type === REFERENCE);
  return {
    stack,
    lastUpdate,
    platform: reference && qualifiedStack(reference.id ?? nameOf(reference.urn)),
    tenants: [...new Set(all.filter(({ type }) => type === CLIENT).map(({ urn }) => nameOf(urn)))],
    deployed: deployedTenants(resources ?? []),
    isEmpty: all.every(({ type }) => type.startsWith("pulumi:")),
    resources: new Map(
      all.flatMap(({ id, type, urn }) =>
        id === undefined || OWN.test(type) ? [] : [[apiId(id), { type, urn }] as const],
      ),
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
  values: z.object({ ai_gateway_id: z.string(), managed_by: z.enum(["git", "dashboard"]).optional() }),
});

const kept = z.object({ keepers: z.object({ version: z.string() }) });

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
            // The first has none (`components/instance.ts`).
            tokenVersion: kept.safeParse(inputsOf(PASSWORD, `${slug}-gateway-token`)).data?.keepers.version ?? "1",
          },
        ];
      }),
  );
}
