/** Resources that a killed run created and did not record: Cloudflare's plugin would fail or create duplicates. */
import { isDeepStrictEqual } from "node:util";
import { type Clock, readLate } from "@tenantry/cloudflare-client/late-list";
import { undefinedIfNotFound } from "@tenantry/cloudflare-client/not-found";
import type Cloudflare from "cloudflare";
import { BadRequestError } from "cloudflare/error";
import * as z from "zod";

interface Kind {
  title: string;
  list: string;
  /** Field of the record that is its id in the state. Default: `id`. */
  id?: string;
  /** Input that names the record; it is read at `{list}/{name}`. Default: the list is searched. */
  named?: string;
  /** Inputs and the equal fields of the API's record. */
  same: Readonly<Record<string, string>>;
  /**
   * Proof that the run created it: its creation time, a reference with a unique id, an empty list below it, or equal rules. A route is as
   * declared if its pattern and script are.
   */
  evidence:
    | { createdAt: string }
    | { refersTo: string }
    | { isEmpty: string }
    | { equals: readonly [input: string, field: string] }
    | "same";
}

const kindWithCreationDate = (
  title: string,
  list: string,
  createdAt: string,
  { same = { name: "name" }, ...ids }: Partial<Pick<Kind, "same" | "id" | "named">> = {},
): Kind => ({ title, list, same, ...ids, evidence: { createdAt } });

/** By type: resources that Cloudflare's API creates by POST. A PUT can be repeated. */
const KINDS: Readonly<Record<string, Kind>> = {
  "cloudflare:index/zeroTrustAccessApplication:ZeroTrustAccessApplication": {
    title: "Access application",
    list: "/accounts/{accountId}/access/apps",
    same: { name: "name", domain: "domain" },
    // The API need not return a creation time.
    evidence: { refersTo: "policies" },
  },
  "cloudflare:index/zeroTrustAccessPolicy:ZeroTrustAccessPolicy": kindWithCreationDate(
    "Access policy",
    "/accounts/{accountId}/access/policies",
    "created_at",
  ),
  "cloudflare:index/zeroTrustAccessGroup:ZeroTrustAccessGroup": {
    title: "Access group",
    list: "/accounts/{accountId}/access/groups",
    same: { name: "name" },
    // The API returns no creation time, and refuses to delete a group that a policy uses.
    evidence: { equals: ["includes", "include"] },
  },
  "cloudflare:index/accountToken:AccountToken": kindWithCreationDate(
    "API token",
    "/accounts/{accountId}/tokens",
    "issued_on",
  ),
  "cloudflare:index/aiGateway:AiGateway": kindWithCreationDate(
    "AI gateway",
    "/accounts/{accountId}/ai-gateway/gateways",
    "created_at",
    { same: { aiGatewayId: "id" } },
  ),
  "cloudflare:index/dnsRecord:DnsRecord": kindWithCreationDate(
    "DNS record",
    "/zones/{zoneId}/dns_records",
    "created_on",
    {
      same: { name: "name", type: "type", content: "content" },
    },
  ),
  "cloudflare:index/hyperdriveConfig:HyperdriveConfig": kindWithCreationDate(
    "Hyperdrive configuration",
    "/accounts/{accountId}/hyperdrive/configs",
    "created_on",
  ),
  "cloudflare:index/queue:Queue": kindWithCreationDate("queue", "/accounts/{accountId}/queues", "created_on", {
    id: "queue_id",
    same: { queueName: "queue_name" },
  }),
  "cloudflare:index/queueConsumer:QueueConsumer": kindWithCreationDate(
    "queue consumer",
    "/accounts/{accountId}/queues/{queueId}/consumers",
    "created_on",
    { id: "consumer_id", same: { type: "type" } },
  ),
  "cloudflare:index/r2Bucket:R2Bucket": kindWithCreationDate(
    "R2 bucket",
    "/accounts/{accountId}/r2/buckets",
    "creation_date",
    { id: "name", named: "name" },
  ),
  "cloudflare:index/workersForPlatformsDispatchNamespace:WorkersForPlatformsDispatchNamespace": kindWithCreationDate(
    "dispatch namespace",
    "/accounts/{accountId}/workers/dispatch/namespaces",
    "created_on",
    { id: "namespace_name", named: "name", same: { name: "namespace_name" } },
  ),
  "cloudflare:index/workersKvNamespace:WorkersKvNamespace": {
    title: "KV namespace",
    list: "/accounts/{accountId}/storage/kv/namespaces",
    same: { title: "title" },
    evidence: { isEmpty: "keys" },
  },
  "cloudflare:index/workersRoute:WorkersRoute": {
    title: "Workers route",
    list: "/zones/{zoneId}/workers/routes",
    same: { pattern: "pattern", script: "script" },
    evidence: "same",
  },
};

/** No run takes longer. */
const LONGEST_RUN_MS = 3_600_000;

const state = z.object({
  manifest: z.object({ time: z.string() }),
  resources: z.array(z.object({ id: z.string().optional() })).nullish(),
  pending_operations: z
    .array(
      z.object({
        type: z.string(),
        resource: z.object({
          urn: z.string().default(""),
          type: z.string(),
          inputs: z.record(z.string(), z.unknown()).default({}),
        }),
      }),
    )
    .nullish(),
});
const record = z.looseObject({});
type Found = z.infer<typeof record>;
const ids = z.array(z.object({ id: z.string() }).transform(({ id }) => id));

export interface UnrecordedCreate {
  kind: Kind;
  inputs: Readonly<Record<string, unknown>>;
}

/** Returns the create of a resource if a retry could not adopt the object. */
function unrecordedCreate(type: string, inputs: Readonly<Record<string, unknown>>): UnrecordedCreate[] {
  const kind = KINDS[type];
  return kind === undefined ? [] : [{ kind, inputs }];
}

/**
 * Returns the failed create of a resource if the object proves that this run created it. A failed create may also have met an object of
 * another stack, which the name, the content or an empty list do not tell apart.
 */
export function failedCreate(type: string, inputs: Readonly<Record<string, unknown>>): UnrecordedCreate[] {
  return unrecordedCreate(type, inputs).filter(
    ({ kind: { evidence } }) => evidence !== "same" && ("createdAt" in evidence || "refersTo" in evidence),
  );
}

/** Returns the resources of an exported state whose creates are pending. */
const creating = (deployment: unknown) =>
  (state.safeParse(deployment).data?.pending_operations ?? []).flatMap(({ type, resource }) =>
    type === "creating" ? [resource] : [],
  );

/** Returns the pending creates of an exported state that a retry would not adopt. */
export const pendingCreates = (deployment: unknown): UnrecordedCreate[] =>
  creating(deployment).flatMap(({ type, inputs }) => unrecordedCreate(type, inputs));

/** Types of the provider `tenantry`, which recognizes its own object when a create is repeated. */
const REPEATABLE = "tenantry:index:";

/** Returns URNs of the pending creates that a repeated create records, whether or not the killed one took effect. */
export const repeatableCreates = (deployment: unknown): string[] =>
  creating(deployment).flatMap(({ urn, type }) => (type.startsWith(REPEATABLE) ? [urn] : []));

/**
 * Removes unrecorded resources of pending creates.
 * @param before state that the killed run left
 * @returns names
 * @throws Error of the SDK
 */
export async function removeUnrecorded(
  client: Cloudflare,
  before: unknown,
  { now, ...late }: Pick<Removal, "now" | "until" | "clock">,
): Promise<string[]> {
  const since = Date.parse(state.parse(before).manifest.time) - LONGEST_RUN_MS;
  return removeCreated(client, pendingCreates(before), { since, now, ...late });
}

interface Removal {
  /** Earliest time of the creates, in milliseconds. */
  since: number;
  /** Exported state; what it records stays. */
  now: unknown;
  /** Time of the clock until which a list may omit what a create left, such as `LATE_LIST_MS` after the run. */
  until: number;
  clock?: Clock;
}

/** Removes what creates left in the account. Re-reads lists without it. @returns names @throws Error of the SDK */
export async function removeCreated(
  client: Cloudflare,
  creates: readonly UnrecordedCreate[],
  { since, now, until, clock }: Removal,
): Promise<string[]> {
  const settled = new Set((state.parse(now).resources ?? []).map(({ id }) => id));
  const removed: string[] = [];
  for (const create of creates.filter(isNamed)) {
    const remove = async () => {
      const names = await removeLike(client, create, since, settled);
      return names.length > 0 ? names : undefined;
    };
    // A name is read by itself, which is current.
    const names = create.kind.named === undefined ? await readLate(remove, until, clock) : await remove();
    removed.push(...(names ?? []));
  }
  return removed;
}

/** Whether the state has the name: a name that is secret is not recognized. */
const isNamed = ({ kind, inputs }: UnrecordedCreate): boolean =>
  Object.keys(kind.same).every((input) => typeof inputs[input] === "string");

/** @param settled ids that stay, or that are gone; receives each that was tried */
async function removeLike(
  client: Cloudflare,
  create: UnrecordedCreate,
  since: number,
  settled: Set<string | undefined>,
): Promise<string[]> {
  const { kind, inputs } = create;
  const list = listPath(create);
  const removed: string[] = [];
  for (const found of await findAll(client, list, create)) {
    const id = found[kind.id ?? "id"];
    const isLike = Object.entries(kind.same).every(([input, field]) => found[field] === inputs[input]);
    if (typeof id !== "string" || !isLike || settled.has(id)) continue;
    const path = `${list}/${encodeURIComponent(id)}`;
    if (!(await undefinedIfNotFound(isCreatedBy(client, path, create, found, since)))) continue;
    settled.add(id);
    try {
      // A list may still have a deleted object.
      if ((await undefinedIfNotFound(client.delete(path))) === undefined) continue;
    } catch (error) {
      if (error instanceof BadRequestError) continue;
      throw error;
    }
    removed.push(`${kind.title} ${String(found.name ?? found.title ?? id)}`);
  }
  return removed;
}

/** Returns the API's clock, in milliseconds. */
export async function apiTime(client: Cloudflare, [create]: readonly UnrecordedCreate[]): Promise<number> {
  if (create === undefined) return Date.now();
  const { headers } = await client.get(listPath(create)).asResponse();
  const time = Date.parse(headers.get("date") ?? "");
  return Number.isNaN(time) ? Date.now() : time;
}

const listPath = ({ kind, inputs }: UnrecordedCreate): string =>
  kind.list.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(inputs[name])));

async function isCreatedBy(
  client: Cloudflare,
  path: string,
  { kind: { evidence }, inputs }: UnrecordedCreate,
  found: Found,
  since: number,
): Promise<boolean> {
  if (evidence === "same") return true;
  if ("createdAt" in evidence) return Date.parse(String(found[evidence.createdAt])) > since;
  if ("equals" in evidence) {
    const [input, field] = evidence.equals;
    return inputs[input] !== undefined && isDeepStrictEqual(inputs[input], found[field]);
  }
  if ("isEmpty" in evidence) return (await listAll(client, `${path}/${evidence.isEmpty}`)).length === 0;
  const [declared, live] = [inputs[evidence.refersTo], found[evidence.refersTo]].map(
    (list) => ids.safeParse(list).data,
  );
  return declared !== undefined && declared.length > 0 && declared.join() === live?.join();
}

async function findAll(client: Cloudflare, list: string, { kind, inputs }: UnrecordedCreate): Promise<Found[]> {
  if (kind.named === undefined) return listAll(client, list);
  const name = inputs[kind.named];
  if (typeof name !== "string") return [];
  const found = await undefinedIfNotFound(client.get<unknown>(`${list}/${encodeURIComponent(name)}`));
  const { data } = z.object({ result: record }).safeParse(found);
  return data === undefined ? [] : [data.result];
}

async function listAll(client: Cloudflare, path: string): Promise<Found[]> {
  const { V4PagePaginationArray } = await import("cloudflare/core/pagination");
  const records: Found[] = [];
  for await (const found of client.getAPIList(path, V4PagePaginationArray<unknown>)) {
    const { data } = record.safeParse(found);
    if (data !== undefined) records.push(data);
  }
  return records;
}
