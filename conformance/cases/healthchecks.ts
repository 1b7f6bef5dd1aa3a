/** Health checks of the example `docs/examples/monitoring`. */
import * as z from "zod";
import type { Case, Product } from "../case.ts";
import { idOf } from "../checks.ts";
import { lifecycleCases } from "../lifecycle.ts";

const product: Product = {
  name: "healthchecks",
  permission: "Health Checks (Edit) on the zone",
  creates: ["healthcheck"],
  requires: "a zone on the Pro plan",
  inZone: true,
  standIn: "cloudflare/kinds/healthchecks/api.ts",
};
const path = "/zones/:zone_id/healthchecks" as const;
const item = `${path}/:id` as const;

export const healthcheckCases: Case[] = lifecycleCases(product, {
  name: "check",
  title: "a health check",
  source: "https://developers.cloudflare.com/api/resources/healthchecks/",
  operations: { create: `POST ${path}`, read: `GET ${item}`, update: `PUT ${item}`, remove: `DELETE ${item}` },
  async create({ sdk }, { zone_id, domain, own }) {
    const http_config = { path: "/api/health", expected_codes: ["200"] };
    // Suspended: it sends nothing.
    const check = { zone_id, name: own("healthcheck"), address: domain, type: "HTTPS", interval: 60, suspended: true };
    return idOf((await sdk.healthchecks.create({ ...check, http_config })).id);
  },
  read: ({ sdk }, { zone_id }, id) => sdk.healthchecks.get(id, { zone_id }),
  shape: z.looseObject({
    id: z.string(),
    name: z.string(),
    suspended: z.literal(true),
    http_config: z.looseObject({ path: z.literal("/api/health"), expected_codes: z.array(z.string()) }),
  }),
  update: {
    send: ({ sdk }, { zone_id, domain, own }, id) =>
      sdk.healthchecks.update(id, {
        zone_id,
        name: own("healthcheck"),
        address: domain,
        type: "HTTPS",
        interval: 120,
        suspended: true,
      }),
    shape: z.looseObject({ interval: z.literal(120), name: z.string().regex(/-2$/) }),
    reliesOn: "An update changes a health check and keeps its id.",
  },
  remove: ({ sdk }, { zone_id }, id) => sdk.healthchecks.delete(id, { zone_id }),
});
