/** The one zone of the local edge. */
import type { Handlers } from "../../api/coverage.ts";
import type { Edge } from "../../api/edge.ts";
import { success } from "../../api/envelope.ts";
import { numberedPage } from "../../api/pagination.ts";

export const zones = (edge: Edge): Handlers<"zones"> => {
  const account = { id: edge.accountId, name: `Local edge of ${edge.domain}` };
  const zone = {
    id: edge.zoneId,
    name: edge.domain,
    status: "active",
    paused: false,
    type: "full",
    development_mode: 0,
    name_servers: [`a.ns.${edge.domain}`, `b.ns.${edge.domain}`],
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
    plan: { id: "0feeeeeeeeeeeeeeeeeeeeeeeeeeeeee", name: "Free Website", price: 0, currency: "USD" },
  };
  return {
    "GET /zones": ({ query }) => {
      const wanted = { name: zone.name, status: zone.status, "account.id": account.id, "account.name": account.name };
      const matches = Object.entries(wanted).every(([field, value]) => (query.get(field) ?? value) === value);
      return numberedPage(matches ? [zone] : [], query);
    },
    "GET /zones/:zone_id": () => success(zone),
  };
};
