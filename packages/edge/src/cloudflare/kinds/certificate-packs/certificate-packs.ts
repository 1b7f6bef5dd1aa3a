import { missing } from "@tenantry/std/difference";
import { apiPart, numberedPage } from "../../api/operations.ts";
import type { Kind } from "../../kind.ts";

export const certificatePacksApi = apiPart({
  title: "Certificate packs",
  operations: { "GET /zones/:zone_id/ssl/certificate_packs": "ssl.certificatePacks.list" },
  differs: [missing("One universal certificate, which covers the zone and one label below it; none can be ordered.")],
  handlers: ({ zoneId, domain }) => {
    const hosts = [domain, `*.${domain}`];
    const certificate = { id: zoneId, hosts, status: "active" };
    const universal = {
      id: "0ce47000-0000-4000-8000-000000000000",
      type: "universal",
      hosts,
      status: "active",
      validation_method: "txt",
      validity_days: 90,
      certificate_authority: "lets_encrypt",
      primary_certificate: certificate.id,
      certificates: [certificate],
    };
    return { "GET /zones/:zone_id/ssl/certificate_packs": ({ query }) => numberedPage([universal], query) };
  },
});

export const certificatePacks: Kind = { api: [certificatePacksApi] };
