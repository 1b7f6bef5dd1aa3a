import { analyticsRoutes } from "#workers/contracts/api/analytics.ts";
import { ACME, IDS, NORTHWIND } from "./examples.ts";
import { section } from "./section.ts";

const usage = {
  ai_queries: 318,
  ai_spend: 2_066_667,
  container_activity: 5_400,
  container_uptime: 28_800,
  object_storage_bandwidth: 96_421_888,
  websocket_sessions: 41,
};
const unused = {
  ai_queries: 0,
  ai_spend: 0,
  container_activity: 0,
  container_uptime: 0,
  object_storage_bandwidth: 0,
  websocket_sessions: 0,
};

export const analyticsSection = section(
  analyticsRoutes,
  "Analytics",
  "Usage and cost over many tenants. Use them for charts and reports; invoices follow the ledger in Billing.",
  {
    getGlobalAnalytics: {
      description:
        "Returns the tenants by state, their usage in the period and the one before, a series by day, and the ten largest tenants. A partner root receives the figures of its partner, without `partners`. Figures are cached for a minute.",
      query: { days: 7 },
      answer: {
        period: { from: "2026-10-27T00:00:00.000Z", to: "2026-11-02T15:00:00.000Z", days: 7 },
        as_of: "2026-11-02T15:00:00.000Z",
        tenants: {
          total: 1,
          by_client_status: { draft: 0, active: 0, production: 1 },
          by_instance_status: { provisioning: 0, running: 1, frozen: 0, stopped: 0, error: 0, none: 0 },
        },
        usage: { current: usage, previous: unused },
        series: [{ day: "2026-11-02", usage }],
        top: [{ client_id: ACME.id, slug: ACME.slug, name: ACME.name, partner_id: IDS.partner, usage }],
        partners: [{ partner: NORTHWIND, tenants: 1, usage: { current: usage, previous: unused } }],
      },
    },
    getPartnerSpend: {
      description:
        "Returns the spend on models by partner and day, from the billing ledger. The current day is up to an hour behind. Partners without spend are omitted.",
      query: { days: 30 },
      answer: {
        from: "2026-10-04",
        to: "2026-11-02",
        partners: [{ partner: NORTHWIND, series: [{ day: "2026-11-02", ai_spend: 2_066_667 }] }],
      },
    },
  },
);
