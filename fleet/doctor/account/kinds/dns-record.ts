import * as z from "zod";
import { slugOfHostname } from "#domain/names/hostnames.ts";
import { type AccountArgs, accountKind } from "../account-resource.ts";

const dnsRecord = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  content: z.string().optional(),
  created_on: z.string().nullish(),
});
/** Address of a host without an origin (`components/workers/worker-host.ts`). */
const ORIGINLESS = "100::";

async function* listRecords({ client, platform }: AccountArgs) {
  // Tenants of production share the platform's wildcard record.
  if (platform.environment !== "production") yield* client.dns.records.list({ zone_id: platform.zoneId, type: "AAAA" });
}

export const dnsRecords = accountKind("dns_record", {
  title: "DNS record",
  right: "DNS (Read) on the zone",
  list: listRecords,
  get: ({ client, platform }, id) => client.dns.records.get(id, { zone_id: platform.zoneId }),
  remove: ({ client, platform }, id) => client.dns.records.delete(id, { zone_id: platform.zoneId }),
  parse({ platform }, record) {
    const { data } = dnsRecord.safeParse(record);
    if (data === undefined || data.type !== "AAAA" || data.content !== ORIGINLESS) return undefined;
    const { id, name, created_on: createdAt = null } = data;
    const tenant = slugOfHostname(name, platform.environment, platform.domain);
    return tenant === undefined ? undefined : { id, name, tenant, createdAt };
  },
});
