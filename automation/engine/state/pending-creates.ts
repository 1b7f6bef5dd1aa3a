/**
 * What a killed run had made and not recorded. The vendor's plug-in adopts nothing: made anew, such a thing is refused where the account
 * takes its name or host once, and there twice where it does not.
 */
import type Cloudflare from "cloudflare";
import * as z from "zod";

interface Kind {
  title: string;
  /** Path of the list of such things, with inputs between braces. */
  list: string;
  /** Inputs, and the fields of the API's record that are the same. All are text. */
  same: Readonly<Record<string, string>>;
  /** What shows that the killed run made it: when it was made, or what it was given that has an id of its own. */
  evidence: { madeAt: string } | { refersTo: string };
}

/** By their types in the vendor's plug-in, those of a tenant's stack that the account tells apart by an id of its own, and gateways. */
const KINDS: Readonly<Record<string, Kind>> = {
  "cloudflare:index/zeroTrustAccessApplication:ZeroTrustAccessApplication": {
    title: "Access application",
    list: "/accounts/{accountId}/access/apps",
    same: { name: "name", domain: "domain" },
    // The API does not promise to tell when.
    evidence: { refersTo: "policies" },
  },
  "cloudflare:index/zeroTrustAccessPolicy:ZeroTrustAccessPolicy": {
    title: "Access policy",
    list: "/accounts/{accountId}/access/policies",
    same: { name: "name" },
    evidence: { madeAt: "created_at" },
  },
  "cloudflare:index/accountToken:AccountToken": {
    title: "API token",
    list: "/accounts/{accountId}/tokens",
    same: { name: "name" },
    evidence: { madeAt: "issued_on" },
  },
  "cloudflare:index/aiGateway:AiGateway": {
    title: "AI gateway",
    list: "/accounts/{accountId}/ai-gateway/gateways",
    same: { aiGatewayId: "id" },
    evidence: { madeAt: "created_at" },
  },
  "cloudflare:index/dnsRecord:DnsRecord": {
    title: "DNS record",
    list: "/zones/{zoneId}/dns_records",
    same: { name: "name", type: "type", content: "content" },
    evidence: { madeAt: "created_on" },
  },
};

/** What was made longer before the state was last written than any run takes is not the killed run's, in milliseconds. */
const LONGEST_RUN_MS = 3_600_000;

const state = z.object({
  manifest: z.object({ time: z.string() }),
  resources: z.array(z.object({ id: z.string().optional() })).nullish(),
  pending_operations: z
    .array(
      z.object({
        type: z.string(),
        resource: z.object({ type: z.string(), inputs: z.record(z.string(), z.unknown()).default({}) }),
      }),
    )
    .nullish(),
});
const record = z.looseObject({ id: z.string() });
type Found = z.infer<typeof record>;
const ids = z.array(z.object({ id: z.string() }).transform(({ id }) => id));

interface PendingCreate {
  kind: Kind;
  inputs: Readonly<Record<string, unknown>>;
}

/** Creates of an exported state whose end nobody saw, as far as another try would not find what they made. */
export function pendingCreates(deployment: unknown): PendingCreate[] {
  const { data } = state.safeParse(deployment);
  return (data?.pending_operations ?? []).flatMap(({ type, resource: { type: token, inputs } }) => {
    const kind = KINDS[token];
    return type === "creating" && kind !== undefined ? [{ kind, inputs }] : [];
  });
}

/**
 * Removes from the account what pending creates had made: what is called and placed like it, is of that run, and the stack does not
 * have. It is minutes old, and nothing refers to it, as nobody knows its id; a token's value could not be had again anyway.
 *
 * @param before state as the killed run left it, exported
 * @param now state as it is with the stack's lock found free
 * @returns what was removed, as people call it
 * @throws Error of the SDK where something cannot be listed or removed
 */
export async function removeMade(client: Cloudflare, before: unknown, now: unknown): Promise<string[]> {
  const writtenAt = Date.parse(state.parse(before).manifest.time);
  const known = new Set((state.parse(now).resources ?? []).map(({ id }) => id));
  const removed: string[] = [];
  for (const { kind, inputs } of pendingCreates(before)) {
    const list = kind.list.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(inputs[name])));
    for (const found of await all(client, list)) {
      const isLike = Object.entries(kind.same).every(
        ([input, field]) => typeof inputs[input] === "string" && found[field] === inputs[input],
      );
      if (!isLike || known.has(found.id) || !isMadeBy({ kind, inputs }, found, writtenAt)) continue;
      await client.delete(`${list}/${encodeURIComponent(found.id)}`);
      removed.push(`${kind.title} ${String(found.name ?? found.id)}`);
    }
  }
  return removed;
}

/** @param writtenAt when the killed run last wrote the state, in milliseconds since the epoch */
function isMadeBy({ kind: { evidence }, inputs }: PendingCreate, found: Found, writtenAt: number): boolean {
  if ("madeAt" in evidence) return Date.parse(String(found[evidence.madeAt])) > writtenAt - LONGEST_RUN_MS;
  const [declared, live] = [inputs[evidence.refersTo], found[evidence.refersTo]].map(
    (list) => ids.safeParse(list).data,
  );
  return declared !== undefined && declared.length > 0 && declared.join() === live?.join();
}

/** Every record of a list. */
async function all(client: Cloudflare, path: string): Promise<Found[]> {
  const { V4PagePaginationArray } = await import("cloudflare/core/pagination");
  const records: Found[] = [];
  for await (const found of client.getAPIList(path, V4PagePaginationArray<unknown>)) {
    const { data } = record.safeParse(found);
    if (data !== undefined) records.push(data);
  }
  return records;
}
