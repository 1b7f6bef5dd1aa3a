/** DNS records of tenants' hosts, which each has outside production: an address that Workers alone answer at. */
import * as z from "zod";
import { slugOfHostname } from "#domain/names/hostnames.ts";
import { gone } from "../gone.ts";
import type { AccountArgs, AccountKind, Thing } from "../thing.ts";

const record = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  content: z.string().optional(),
  created_on: z.string().nullish(),
});
/** Of a host without an origin (`components/workers/worker-host.ts`). */
const ORIGINLESS = "100::";

function thing({ platform }: AccountArgs, found: unknown): Thing[] {
  const { data } = record.safeParse(found);
  if (data === undefined || data.type !== "AAAA" || data.content !== ORIGINLESS) return [];
  const tenant = slugOfHostname(data.name, platform.environment, platform.domain);
  if (tenant === undefined) return [];
  const { id, name, created_on: createdAt = null } = data;
  return [{ kind: "dns_record", id, identity: id, name, tenant, createdAt }];
}

export const dnsRecords: AccountKind = {
  kind: "dns_record",
  title: "DNS record",
  right: "DNS (Read) on the zone",
  async list(args) {
    const { client, platform } = args;
    // Production's tenants share the platform's wildcard: a host of its own there is somebody else's.
    if (platform.environment === "production") return [];
    const things: Thing[] = [];
    for await (const one of client.dns.records.list({ zone_id: platform.zoneId, type: "AAAA" }))
      things.push(...thing(args, one));
    return things;
  },
  async find(args, { id }) {
    const { client, platform } = args;
    const found = await gone(client.dns.records.get(id, { zone_id: platform.zoneId }));
    return found === undefined ? undefined : thing(args, found)[0];
  },
  async remove({ client, platform }, { id }) {
    await client.dns.records.delete(id, { zone_id: platform.zoneId });
  },
};
