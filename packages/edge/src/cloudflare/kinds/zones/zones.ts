import { missing } from "@tenantry/std/difference";
import { apiPart, numberedPage, successResponse } from "../../api/operations.ts";
import type { Kind } from "../../kind.ts";

export const zonesApi = apiPart({
  title: "Zones",
  operations: {
    "GET /zones": "zones.list",
    "GET /zones/:zone_id": "zones.get",
  },
  differs: [missing("One zone; read only.")],
  handlers: (context) => {
    const account = { id: context.accountId, name: `Local edge of ${context.domain}` };
    const zone = {
      id: context.zoneId,
      name: context.domain,
      status: "active",
      paused: false,
      type: "full",
      development_mode: 0,
      name_servers: [`a.ns.${context.domain}`, `b.ns.${context.domain}`],
      original_name_servers: null,
      original_registrar: null,
      original_dnshost: null,
      created_on: "2026-01-01T00:00:00.000Z",
      modified_on: "2026-01-01T00:00:00.000Z",
      activated_on: "2026-01-01T00:00:00.000Z",
      meta: { step: 2, custom_certificate_quota: 0, page_rule_quota: 0, phishing_detected: false },
      owner: { type: "user" },
      account,
      permissions: ["#zone:read", "#dns_records:edit", "#dns_records:read", "#worker:edit", "#worker:read"],
      // The table of limits has the values of this plan.
      plan: {
        id: "a577b510288e82b26486fd1df47000ec",
        legacy_id: "pro",
        name: "Pro Website",
        price: 20,
        currency: "USD",
      },
    };
    return {
      "GET /zones": ({ query }) => {
        const wanted = { name: zone.name, status: zone.status, "account.id": account.id, "account.name": account.name };
        const matches = Object.entries(wanted).every(([field, value]) => (query.get(field) ?? value) === value);
        return numberedPage(matches ? [zone] : [], query);
      },
      "GET /zones/:zone_id": () => successResponse(zone),
    };
  },
});

export const zones: Kind = { api: [zonesApi] };
