/** Records of Workers' hosts. */
import * as z from "zod";
import { type Case, casesOf, type Product } from "../case.ts";
import { all, checkEqual, idOf } from "../checks.ts";
import { lifecycleCases, operationsOf } from "../lifecycle.ts";
import type { Client } from "../run/client.ts";
import type { Scope } from "../run/scope.ts";

const product: Product = {
  name: "dns",
  permission: "DNS (Edit) on the zone",
  creates: ["dns_record"],
  inZone: true,
  standIn: "cloudflare/kinds/dns/api.ts",
};
const path = "/zones/:zone_id/dns_records" as const;
const item = `${path}/:id` as const;
const SOURCE = "https://developers.cloudflare.com/api/resources/dns/subresources/records/";
/** Of a host without an origin (`components/workers/worker-host.ts`). */
const content = "100::";

/** Names in the API are full host names. */
const ownHost = ({ own, name, domain }: Scope) => own("dns_record", `${name()}.${domain}`);

const create = ({ sdk }: Client, { zone_id }: Scope, name: string) =>
  sdk.dns.records.create({ zone_id, name, type: "AAAA", content, ttl: 1, proxied: true });

export const dnsCases: Case[] = [
  ...lifecycleCases(product, {
    name: "record",
    title: "a DNS record",
    source: SOURCE,
    operations: operationsOf(path, item, "PUT"),
    create: async (client, scope) => idOf((await create(client, scope, ownHost(scope))).id),
    read: ({ sdk }, { zone_id }, id) => sdk.dns.records.get(id, { zone_id }),
    shape: z.looseObject({
      id: z.string(),
      name: z.string(),
      type: z.literal("AAAA"),
      content: z.literal(content),
      proxied: z.literal(true),
      created_on: z.iso.datetime({ offset: true }),
    }),
    again: {
      async create(client, scope) {
        const name = ownHost(scope);
        await create(client, scope, name);
        return { call: create(client, scope, name) };
      },
      outcome: { status: 400, codes: [81057, 81058] },
      reliesOn: "A second create of an identical record is refused with status 400.",
      source: "https://developers.cloudflare.com/dns/manage-dns-records/troubleshooting/records-with-same-name/",
    },
    list: async ({ sdk }, { zone_id }) =>
      (await all(sdk.dns.records.list({ zone_id, type: "AAAA" }))).map(({ id }) => id),
    update: {
      send: async ({ sdk }, scope, id) => {
        const { zone_id } = scope;
        return sdk.dns.records.update(id, {
          zone_id,
          name: ownHost(scope),
          type: "AAAA",
          content,
          ttl: 1,
          proxied: true,
        });
      },
      shape: z.looseObject({ name: z.string().regex(/-2[.]/) }),
      reliesOn: "An update renames a DNS record and keeps its id.",
    },
    remove: ({ sdk }, { zone_id }, id) => sdk.dns.records.delete(id, { zone_id }),
    missing: { codes: [81044] },
  }),
  ...casesOf(product, {
    "record-full-name": {
      operations: [`POST ${path}`],
      reliesOn: "A create with a name without the zone returns the full host name.",
      source: SOURCE,
      async run(client, scope) {
        const host = ownHost(scope);
        const made = await create(client, scope, host.slice(0, -scope.domain.length - 1));
        checkEqual("The name", made.name, host);
      },
    },
  }),
];
