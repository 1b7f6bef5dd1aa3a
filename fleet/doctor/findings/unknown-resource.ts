/** Things of the account that are a tenant's by name and that no stack knows: what a killed run made and nobody recorded. */
import { ACCOUNT_KINDS } from "../account/kinds.ts";
import { type Thing, type ThingKind, thingKinds } from "../account/thing.ts";
import { type Conclusion, type Evidence, type Finding, holderOf, isPending } from "../evidence.ts";
import type { Platform } from "../platform.ts";

/** Each with findings of its own. */
const ELSEWHERE: readonly ThingKind[] = ["bucket", "api_token"];

export function unknownResources(evidence: Evidence): Conclusion[] {
  return thingKinds
    .filter((kind) => !ELSEWHERE.includes(kind))
    .map((kind): Conclusion => {
      const things = evidence.account[kind];
      if ("fault" in things) return { about: kind, fault: things.fault };
      const findings = unowned(things.found, evidence).map((thing) => findingOf(thing, evidence.platform));
      return { about: kind, findings };
    });
}

/** Those that no stack has, and no run may be about to have. */
export function unowned(things: readonly Thing[], { stacks }: Pick<Evidence, "stacks">): Thing[] {
  return things.filter((thing) => holderOf(stacks, thing) === undefined && !isPending(stacks, thing.name));
}

export function findingOf(thing: Thing, platform: Platform): Finding {
  const { kind, name, identity, tenant, createdAt } = thing;
  return {
    what: ACCOUNT_KINDS[kind].title,
    name,
    identity,
    tenant,
    createdAt,
    why: "no stack knows it",
    remedy: `--fix removes it where nobody has to do with ${tenant}; else import it, or delete it by hand: ${requestOf(thing, platform)}`,
    thing,
  };
}

/** Below the API's base. */
const PATHS: Readonly<Record<ThingKind, (platform: Platform) => string>> = {
  dns_record: ({ zoneId }) => `zones/${zoneId}/dns_records`,
  container_application: ({ accountId }) => `accounts/${accountId}/containers/applications`,
  script: ({ accountId, dispatchNamespace }) =>
    `accounts/${accountId}/workers/dispatch/namespaces/${dispatchNamespace}/scripts`,
  access_application: ({ accountId }) => `accounts/${accountId}/access/apps`,
  access_policy: ({ accountId }) => `accounts/${accountId}/access/policies`,
  access_group: ({ accountId }) => `accounts/${accountId}/access/groups`,
  api_token: ({ accountId }) => `accounts/${accountId}/tokens`,
  ai_gateway: ({ accountId }) => `accounts/${accountId}/ai-gateway/gateways`,
  bucket: ({ accountId }) => `accounts/${accountId}/r2/buckets`,
};

const requestOf = ({ kind, id }: Thing, platform: Platform) => `DELETE /${PATHS[kind](platform)}/${id}`;
