import { expect, test } from "vitest";
import { DEFAULT_PRICES } from "#domain/billing/default-prices.ts";
import { readStackFile } from "../files/stack-file.ts";
import { declaredOutcome } from "./declared-outcome.ts";
import { deployedTenants, platformContainers } from "./plain-state.ts";
import { differenceBy } from "./prices.ts";

const SECRET = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:x" };

function tenant(slug: string, plan: string, gateway: string, instanceType: string, columns: object = {}) {
  const urn = (type: string, name: string) => `urn:pulumi:prod::tenantry::${type}::${name}`;
  const record = "tenantry:index:DatabaseRecord";
  const containers = "tenantry:index:ContainerApplication";
  return [
    { type: "tenantry:components:Client", urn: urn("tenantry:components:Client", slug) },
    {
      type: record,
      urn: urn(`tenantry:components:Client$${record}`, `client-${slug}`),
      outputs: { values: { name: slug, billing_plan: plan, status: "active", ...columns } },
    },
    {
      type: record,
      urn: urn(`tenantry:components:Client$${record}`, `instance-${slug}`),
      outputs: { values: { ai_gateway_id: gateway, access_aud: SECRET } },
    },
    { type: containers, urn: urn(containers, slug), outputs: { image: "image:1", instanceType, backup: SECRET } },
  ];
}

const own = {
  version: 3,
  deployment: {
    resources: [
      ...tenant("grows", "basic", "pool-a", "standard-1"),
      ...tenant("stays", "pro", "pool-a", "standard-2"),
      ...tenant("pinned", "pro", "pool-a", "standard-2"),
      ...tenant("marked", "pro", "pool-a", "standard-2", {
        is_canary: true,
        maintenance_days: [6],
        maintenance_hours: 4,
      }),
      ...tenant("goes", "free", "tenantry-goes", "lite"),
    ],
  },
};
const platform = {
  version: 3,
  deployment: {
    resources: [
      {
        type: "pulumi:pulumi:Stack",
        urn: "urn:pulumi:prod::tenantry::pulumi:pulumi:Stack::tenantry-prod",
        outputs: {
          databaseUrl: SECRET,
          platform: {
            containerImage: "image:1",
            containers: { free: "lite", basic: "standard-1", pro: "standard-2", enterprise: "standard-3" },
          },
        },
      },
    ],
  },
};
const { settings } = readStackFile(
  "prod",
  `config:
  tenantry:platformStack: prod
  tenantry:clients:
    - { slug: grows, name: grows, plan: pro }
    - { slug: stays, name: stays, plan: pro }
    - { slug: pinned, name: pinned, plan: pro, instances: [{ image: "image:2" }] }
    - { slug: marked, name: marked, plan: pro, canary: false }
    - { slug: comes, name: comes, plan: basic, instances: [{ aiGateway: mine }] }
`,
);

test("determines created, changed, unchanged and removed tenants from plain values", () => {
  const reported = declaredOutcome({
    clients: settings.clients,
    deployed: deployedTenants(own),
    containers: platformContainers(platform),
    difference: differenceBy(DEFAULT_PRICES, "2026-12-01"),
    backsUp: true,
    backsUpRemoved: true,
  });
  expect(reported).toMatchObject([
    {
      slug: "grows",
      fate: "changed",
      plan: { before: "basic", after: "pro" },
      aiGateway: { before: "pool-a", after: "pool-a" },
      containerEnds: true,
      backedUpFirst: true,
      monthlyDifference: 70_000_000,
    },
    { slug: "stays", fate: "unchanged", containerEnds: false },
    { slug: "pinned", fate: "changed", containerEnds: true, backedUpFirst: true },
    { slug: "marked", fate: "changed", containerEnds: false },
    { slug: "comes", fate: "made", aiGateway: { before: null, after: "mine" }, monthlyDifference: 29_000_000 },
    { slug: "goes", fate: "removed", plan: { before: "free", after: null }, containerEnds: true },
  ]);
  expect(reported.every(({ resources }) => resources === null)).toBe(true);
});

test("returns nothing for a state that does not exist", () => {
  expect(deployedTenants(undefined)).toEqual(new Map());
  expect(platformContainers(undefined)).toBeUndefined();
});
