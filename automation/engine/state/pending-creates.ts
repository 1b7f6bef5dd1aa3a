/** Resources that a killed run created and did not record: Cloudflare's plugin would fail or create duplicates. */
import type Cloudflare from "cloudflare";
import * as z from "zod";

interface Kind {
  title: string;
  list: string;
  /** Inputs and the equal fields of the API's record. */
  same: Readonly<Record<string, string>>;
  /** Proof that the killed run created it: its creation time, or a reference with a unique id. */
  evidence: { createdAt: string } | { refersTo: string };
}

const kindWithCreationDate = (
  title: string,
  list: string,
  createdAt: string,
  same: Kind["same"] = { name: "name" },
): Kind => ({
  ...{ title, list, same },
  evidence: { createdAt },
});

/** By type: resources of a tenant's stack that have an id of their own, and gateways. */
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
  "cloudflare:index/accountToken:AccountToken": kindWithCreationDate(
    "API token",
    "/accounts/{accountId}/tokens",
    "issued_on",
  ),
  "cloudflare:index/aiGateway:AiGateway": kindWithCreationDate(
    "AI gateway",
    "/accounts/{accountId}/ai-gateway/gateways",
    "created_at",
    {
      aiGatewayId: "id",
    },
  ),
  "cloudflare:index/dnsRecord:DnsRecord": kindWithCreationDate(
    "DNS record",
    "/zones/{zoneId}/dns_records",
    "created_on",
    {
      name: "name",
      type: "type",
      content: "content",
    },
  ),
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

/** Returns the pending creates of an exported state that a retry would not adopt. */
export function pendingCreates(deployment: unknown): PendingCreate[] {
  const { data } = state.safeParse(deployment);
  return (data?.pending_operations ?? []).flatMap(({ type, resource: { type: token, inputs } }) => {
    const kind = KINDS[token];
    return type === "creating" && kind !== undefined ? [{ kind, inputs }] : [];
  });
}

/** Removes unrecorded resources of pending creates. @param before state that the killed run left @returns names @throws Error of the SDK */
export async function removeUnrecorded(client: Cloudflare, before: unknown, now: unknown): Promise<string[]> {
  const writtenAt = Date.parse(state.parse(before).manifest.time);
  const known = new Set((state.parse(now).resources ?? []).map(({ id }) => id));
  const removed: string[] = [];
  for (const { kind, inputs } of pendingCreates(before)) {
    const list = kind.list.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(inputs[name])));
    for (const found of await listAll(client, list)) {
      const isLike = Object.entries(kind.same).every(
        ([input, field]) => typeof inputs[input] === "string" && found[field] === inputs[input],
      );
      if (!isLike || known.has(found.id) || !isCreatedBy({ kind, inputs }, found, writtenAt)) continue;
      await client.delete(`${list}/${encodeURIComponent(found.id)}`);
      removed.push(`${kind.title} ${String(found.name ?? found.id)}`);
    }
  }
  return removed;
}

/** @param writtenAt time of the state's last write, in milliseconds */
function isCreatedBy({ kind: { evidence }, inputs }: PendingCreate, found: Found, writtenAt: number): boolean {
  if ("createdAt" in evidence) return Date.parse(String(found[evidence.createdAt])) > writtenAt - LONGEST_RUN_MS;
  const [declared, live] = [inputs[evidence.refersTo], found[evidence.refersTo]].map(
    (list) => ids.safeParse(list).data,
  );
  return declared !== undefined && declared.length > 0 && declared.join() === live?.join();
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
