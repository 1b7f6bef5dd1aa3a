/** Foreign resources with the names that the stack creates. Cloudflare refuses some of these creates, and others replace the resource. */
import * as z from "zod";
import { platformAddresses, tenantAddresses } from "#domain/access/access-addresses.ts";
import { preflightAccountErrors as errors, preflightErrors } from "#domain/errors/commands/fleet-preflight.ts";
import { platformNames, tenantNames } from "#domain/names/deployed-names.ts";
import { dashboardHostname, dispatchHostname, hooksHostname, wildcardHostname } from "#domain/names/hostnames.ts";
import { DOORS_LABEL } from "#domain/names/slug.ts";
import type { PlatformStackSettings } from "#stack/settings/settings.ts";
import { type Check, failed, type Outcome, passed, skipped } from "../check.ts";
import { faultOf, isDenied } from "../cloudflare.ts";
import { ownResources, type Requirements } from "../requirements.ts";
import { scopePath } from "./permissions.ts";

interface NameKind {
  id: string;
  kind: string;
  scope: "account" | "zone";
  /** Lists the resources, below the account or zone. */
  list: string;
  /** Of the list in the result. Default: the result is the list. */
  key?: string;
  /** Fields of a listed resource. */
  name: string;
  resourceId: string;
  permission: string;
  wanted: (settings: PlatformStackSettings) => readonly string[];
}

const namesOf = ({ environment }: PlatformStackSettings) => platformNames(environment);

/** Cloudflare stores the host of an application in lower case. */
const NAME_KINDS: readonly NameKind[] = [
  {
    id: "dispatch_namespace",
    kind: "dispatch namespace",
    scope: "account",
    list: "workers/dispatch/namespaces",
    name: "namespace_name",
    resourceId: "namespace_name",
    permission: "Workers Scripts (Read)",
    wanted: (settings) => [namesOf(settings).dispatchNamespace],
  },
  {
    id: "worker",
    kind: "Worker",
    scope: "account",
    list: "workers/scripts",
    name: "id",
    resourceId: "id",
    permission: "Workers Scripts (Read)",
    wanted: (settings) => [namesOf(settings).dispatchScript, namesOf(settings).dashboardScript],
  },
  {
    id: "kv_namespace",
    kind: "KV namespace",
    scope: "account",
    list: "storage/kv/namespaces",
    name: "title",
    resourceId: "id",
    permission: "Workers KV Storage (Read)",
    wanted: (settings) => [namesOf(settings).tenantIndex],
  },
  {
    id: "queue",
    kind: "queue",
    scope: "account",
    list: "queues",
    name: "queue_name",
    resourceId: "queue_id",
    permission: "Queues (Read)",
    wanted: (settings) => [namesOf(settings).fanoutQueue],
  },
  {
    id: "hyperdrive",
    kind: "Hyperdrive configuration",
    scope: "account",
    list: "hyperdrive/configs",
    name: "name",
    resourceId: "id",
    permission: "Hyperdrive (Read)",
    wanted: (settings) => [namesOf(settings).hyperdrive],
  },
  {
    id: "bucket",
    kind: "R2 bucket",
    scope: "account",
    list: "r2/buckets",
    key: "buckets",
    name: "name",
    resourceId: "name",
    permission: "Workers R2 Storage (Read)",
    wanted: (settings) => [namesOf(settings).logosBucket],
  },
  {
    id: "ai_gateway",
    kind: "AI gateway",
    scope: "account",
    list: "ai-gateway/gateways",
    name: "id",
    resourceId: "id",
    permission: "AI Gateway (Read)",
    wanted: ({ platform, clients, environment }) => [
      ...platform.aiGateways.map(({ id }) => id),
      ...clients.map(({ slug }) => tenantNames(slug, environment).aiGateway),
    ],
  },
  {
    id: "container_application",
    kind: "container application",
    scope: "account",
    list: "containers/applications",
    name: "name",
    resourceId: "id",
    permission: "Workers Containers (Read)",
    wanted: ({ clients, environment }) =>
      clients.map(({ slug }) => tenantNames(slug, environment).containerApplication),
  },
  {
    id: "access_application",
    kind: "Access application",
    scope: "account",
    list: "access/apps",
    name: "domain",
    resourceId: "id",
    permission: "Access: Apps and Policies (Read)",
    wanted: ({ environment, platform: { domain, healthApplication }, clients }) => [
      ...platformAddresses(environment, domain, healthApplication),
      ...clients.flatMap(({ slug }) => tenantAddresses(slug, environment, domain, healthApplication)),
    ],
  },
  {
    id: "route",
    kind: "Workers route",
    scope: "zone",
    list: "workers/routes",
    name: "pattern",
    resourceId: "id",
    permission: "Workers Routes (Read)",
    wanted: ({ environment, platform: { domain } }) =>
      [wildcardHostname(environment, domain), dashboardHostname(environment, domain)].map((host) => `${host}/*`),
  },
  {
    id: "dns_record",
    kind: "DNS record",
    scope: "zone",
    list: "dns_records",
    name: "name",
    resourceId: "id",
    permission: "DNS (Read)",
    wanted: ({ environment, platform: { domain } }) => [
      ...(environment === "production"
        ? [wildcardHostname(environment, domain)]
        : [dispatchHostname(environment, domain), hooksHostname(environment, domain)]),
      dashboardHostname(environment, domain),
    ],
  },
];

const ADOPT_BUCKETS = "TENANTRY_ADOPT_BUCKETS";

export function nameChecks({ settings }: Requirements): Check[] {
  const checks = NAME_KINDS.map(
    (names): Check => ({
      id: `name_${names.id}`,
      title: `Names of ${names.kind}s`,
      run: (requirements) => checkNames(names, requirements),
    }),
  );
  return settings.clients.length === 0 ? checks : [...checks, tenantBuckets, slugs];
}

/** @returns the first name that is taken */
async function checkNames(names: NameKind, requirements: Requirements): Promise<Outcome> {
  const { kind, wanted } = names;
  const { settings, stack } = requirements;
  const listed = await foreignNames(names, requirements);
  if (!("foreign" in listed)) return listed;
  const own = new Set(wanted(settings));
  const taken = [...own].filter((name) => listed.foreign.has(name));
  if (taken.length === 0) return passed(`${own.size} free or this stack's`);
  return failed(errors.preflight_name_taken, { kind, name: taken.join(", "), stack });
}

/** A bucket of backups has data, so its remedy differs. */
const tenantBuckets: Check = {
  id: "name_backup_bucket",
  title: "Names of backup buckets",
  async run(requirements) {
    const { settings, stack, variables } = requirements;
    const kind = NAME_KINDS.find(({ id }) => id === "bucket");
    const listed = kind === undefined ? undefined : await foreignNames(kind, requirements);
    if (listed === undefined || !("foreign" in listed)) return listed ?? passed();
    const adopted = new Set((variables[ADOPT_BUCKETS] ?? "").split(/[\s,]+/));
    const taken = settings.clients
      .map(({ slug }) => ({ slug, name: tenantNames(slug, settings.environment).backupBucket }))
      .filter(({ slug, name }) => listed.foreign.has(name) && !adopted.has(slug));
    if (taken.length === 0) return passed(`${settings.clients.length} free or this stack's`);
    const of = (field: "slug" | "name", separator: string) => taken.map((bucket) => bucket[field]).join(separator);
    return failed(errors.preflight_bucket_kept, { name: of("name", ", "), slug: of("slug", ","), stack });
  },
};

/** A tenant from before there were doors keeps the slug of their host. */
const slugs: Check = {
  id: "name_slug",
  title: "Slugs",
  async run({ settings: { clients }, state }) {
    const isTaken = clients.some(({ slug }) => slug === DOORS_LABEL);
    const deployed = ("found" in state ? state.found?.tenants : undefined) ?? [];
    if (!isTaken || deployed.includes(DOORS_LABEL)) return passed(`${clients.length} allowed`);
    return failed(errors.preflight_slug_reserved, { slug: DOORS_LABEL });
  },
};

async function foreignNames(
  { scope, list, key, name, resourceId, permission }: NameKind,
  requirements: Requirements,
): Promise<{ foreign: ReadonlySet<string> } | Outcome> {
  const { api, settings } = requirements;
  const listed = await api.list(`${scopePath(scope, settings.platform)}/${list}`, key);
  if ("refused" in listed) {
    if (isDenied(listed.refused)) return skipped(preflightErrors.preflight_check_without_permission, { permission });
    return skipped(preflightErrors.preflight_check_failed, { fault: `${faultOf(listed.refused)}.` });
  }
  const own = ownResources(requirements);
  const resource = z.looseObject({ [name]: z.string(), [resourceId]: z.string() });
  const foreign = z
    .array(resource.catch({ [name]: "", [resourceId]: "" }))
    .parse(listed.items)
    .filter((item) => !own.has(String(item[resourceId])))
    .map((item) => String(item[name]).toLowerCase());
  return { foreign: new Set(foreign) };
}
