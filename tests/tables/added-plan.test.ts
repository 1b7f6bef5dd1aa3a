/** Adds a fifth plan: only an entry of the table has to change. */
import type { ResourceValidationArgs, ResourceValidationPolicy } from "@pulumi/policy";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Plan } from "#domain/plans/plan.ts";
import { connections, platform } from "./testing/stack-file.ts";

const TABLE = "#domain/plans/plans.ts";
/** The compiler knows only the plans of the table. */
const TEAM = "team" as Plan;

beforeAll(() => {
  vi.doMock(TABLE, async (original: () => Promise<typeof import("#domain/plans/plans.ts")>) => {
    const { PLANS, ...rest } = await original();
    const team = {
      label: "Team",
      cpuMs: 120_000,
      subrequests: 2_000,
      container: "standard-4",
      acceptsLargerContainer: false,
      storageBytes: 20_000_000_000,
      backupIntervalSeconds: 300,
      sleepAfterSeconds: 3_600,
      sleepsWithChannels: true,
      doors: 5,
      inboxMessages: 3_000,
      egress: "audit",
      aiSpendUsd: 300,
      monthlyFeeMicros: 199_000_000n,
      usageIsFree: false,
    } satisfies import("#domain/plans/plans.ts").PlanTerms;
    return { ...rest, PLANS: { ...PLANS, team } };
  });
  vi.resetModules();
});
afterAll(() => {
  vi.doUnmock(TABLE);
  vi.resetModules();
});

const acme = { slug: "acme", name: "Acme", plan: TEAM };

test("a stack file accepts it for clients, and sets its container and AI spend", async () => {
  const { checkSettings } = await import("#stack/settings/settings.ts");
  const { settingsSchema } = await import("#stack/settings/schema.ts");
  const { clients, platform: settings } = checkSettings({ platform, clients: [acme] }, connections);
  expect(clients).toMatchObject([{ plan: "team" }]);
  expect(settings).toMatchObject({ containers: { team: "standard-4" }, aiSpendLimits: { team: 300 } });
  const changed = { ...platform, containers: { team: "standard-1" }, aiSpendLimits: { team: null } };
  expect(checkSettings({ platform: changed }, connections).platform).toMatchObject({
    containers: { team: "standard-1", pro: "standard-2" },
    aiSpendLimits: { team: null, pro: 200 },
  });
  expect(() => checkSettings({ platform, clients: [{ ...acme, plan: "gold" }] }, connections)).toThrow(
    'unknown plan "gold"; use one of free, basic, pro, enterprise, team',
  );
  const { properties } = JSON.parse(settingsSchema()).properties.config;
  expect(properties["tenantry:clients"].items.properties.plan.enum).toContain("team");
  expect(properties["tenantry:platform"].properties.containers.properties.team.default).toBe("standard-4");
});

test("a tenant of it gets its container, variables and limits, and an AI gateway limits its spend", async () => {
  const { Client } = await import("#components/client.ts");
  const { Platform } = await import("#components/platform.ts");
  const { declare, only } = await import("#components/testing/declared.ts");
  const { fakeContext, fakePlatformArgs } = await import("#components/testing/fakes.ts");
  const { PLAN_CONTAINERS } = await import("#domain/plans/plan.ts");
  const { declared } = await declare(() => {
    const made = new Platform("platform", fakePlatformArgs("production", { containers: PLAN_CONTAINERS }));
    new Client("acme", {
      context: fakeContext({ outputs: made.outputs }),
      slug: "acme",
      displayName: "Acme",
      plan: TEAM,
      status: "active",
      gateway: { kind: "dedicated", gatewayId: "tenantry-acme" },
    });
  });
  expect(only(declared, "ContainerApplication").inputs).toMatchObject({ instanceType: "standard-4" });
  const text = (value: string) => ({ type: "plain_text", text: value });
  expect(only(declared, "NamespacedScript").inputs).toMatchObject({
    // It grants more than all other plans.
    limits: { cpuMs: 120_000, subrequests: 2_000 },
    tags: expect.arrayContaining(["plan:team"]),
    bindings: {
      BILLING_PLAN: text("team"),
      BACKUP_STORAGE_BYTES: text("20000000000"),
      BACKUP_INTERVAL_SECONDS: text("300"),
      SLEEP_AFTER_SECONDS: text("3600"),
      INBOX_MESSAGES: text("3000"),
      SLEEP_WITH_CHANNELS: text("1"),
    },
  });
  const gateways = declared.filter(({ type }) => type === "cloudflare:index/aiGateway:AiGateway");
  expect(gateways).toHaveLength(2);
  for (const { inputs } of gateways) {
    const { rules } = inputs.spendLimits as { rules: { id: string; limit: number }[] };
    expect(rules.find(({ id }) => id === "tenant-team")).toMatchObject({ limit: 300 });
  }
  const limits = only(declared, "DatabaseRecord", "account-limits").inputs.values as { containers: object };
  // Two containers, while one replaces the other.
  expect(limits.containers).toMatchObject({ team: { containerMemoryMiB: 2 * 12_288, containerVcpu: 8 } });
});

test("the policies require what it grants", async () => {
  const { planLimitsRule } = await import("#policy/rules/plan-limits.ts");
  const { aiSpendLimits } = await import("#policy/rules/ai-spend-limits.ts");
  const faults: string[] = [];
  const judge = ({ validateResource }: ResourceValidationPolicy, kind: string, props: object) => {
    const resource = { type: kind, name: "acme", urn: "urn", props, opts: { parent: "acme" }, getConfig: () => ({}) };
    const validations = [validateResource ?? []].flat();
    for (const validate of validations) {
      // The rules read only these properties.
      void validate(resource as unknown as ResourceValidationArgs, (fault) => faults.push(fault ?? ""));
    }
  };
  const bindings = { BILLING_PLAN: { type: "plain_text", text: "team" } };
  const limits = { cpuMs: 120_000, subrequests: 2_000 };
  judge(planLimitsRule, "tenantry:index:NamespacedScript", { scriptName: "tenant-acme", bindings, limits });
  judge(planLimitsRule, "tenantry:index:ContainerApplication", {
    scriptName: "tenant-acme",
    instanceType: "standard-1",
  });
  judge(aiSpendLimits, "cloudflare:index/aiGateway:AiGateway", {});
  expect(faults).toEqual(
    expect.arrayContaining([
      "The tenant's script acme has BACKUP_STORAGE_BYTES unset, but the plan team has 20000000000. Set the plan's value, or change the tenant's plan.",
      "The tenant's script acme has BACKUP_INTERVAL_SECONDS unset, but the plan team has 300. Set the plan's value, or change the tenant's plan.",
      "The containers of acme have the type standard-1, but the plan team has standard-4. Set the plan's type, or configure the rule's containers.",
      "The AI gateway acme allows a tenant of the plan team to spend more than 300 US dollars. Add a spend limit for the plan, or configure the rule's limits.",
    ]),
  );
  expect(faults.join()).not.toContain("per invocation");
});

test("price lists, the API and the dashboard include it", async () => {
  const { DEFAULT_PRICES } = await import("#domain/billing/default-prices.ts");
  const { differenceBy } = await import("#fleet/outcome/prices.ts");
  expect(differenceBy(DEFAULT_PRICES, "2026-12-01")("pro" as Plan, TEAM)).toBe(100_000_000);
  expect(DEFAULT_PRICES).toContainEqual(
    expect.objectContaining({ plan: "team", metric: "ai_queries", micros: 100_000n, perUnits: 1_000n }),
  );
  const { clientRoutes } = await import("#workers/contracts/api/tenants/clients.ts");
  const { newPrice } = await import("#workers/contracts/api/billing.ts");
  expect(clientRoutes.createClient.body.parse({ slug: "acme", billing_plan: "team" })).toMatchObject({
    billing_plan: "team",
  });
  const price = { plan: "team", metric: "flat_fee", per_units: 1, micros: 1, valid_from: "2026-12-01" };
  expect(newPrice.parse(price)).toEqual(price);
  const { planLabel, plans } = await import("#domain/plans/plan.ts");
  expect(plans.map(planLabel)).toEqual(["Free", "Basic", "Pro", "Enterprise", "Team"]);
});
