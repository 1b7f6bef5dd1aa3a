import { expect, test } from "vitest";
import { declare, only, resolved } from "../testing/declared.ts";
import { fakeSite } from "../testing/fakes.ts";
import { AiGateway } from "./ai-gateway.ts";
import { AiGatewayPool } from "./ai-gateway-pool.ts";

const settings = {
  pii: { action: "BLOCK" as const, profiles: ["profile"] },
  spendLimits: { free: 5, basic: 50, pro: 200.5, enterprise: null },
};

test("requires a token, caches nothing, filters PII and forwards nothing to other services", async () => {
  const { declared } = await declare(
    () => new AiGateway("one", { accountId: "account", gatewayId: "one", ...settings }),
  );
  const gateway = declared.find(({ type }) => type === "cloudflare:index/aiGateway:AiGateway");
  expect(gateway?.inputs).toMatchObject({
    aiGatewayId: "one",
    authentication: true,
    cacheTtl: 0,
    logpush: false,
    otels: [],
    logClassification: false,
    dlp: { enabled: true, action: "BLOCK", profiles: ["profile"] },
  });
});

test("limits the spend of each tenant on every plan with a limit", async () => {
  const { declared } = await declare(
    () => new AiGateway("one", { accountId: "account", gatewayId: "one", ...settings }),
  );
  const rule = (plan: string, limit: number) => ({
    id: `tenant-${plan}`,
    enabled: true,
    limitType: "cost",
    limit,
    window: 2_592_000,
    technique: "sliding",
    metadata: {
      plan: { mode: "filter", values: [plan] },
      environment: { mode: "partition" },
      tenant: { mode: "partition" },
    },
  });
  const gateway = declared.find(({ type }) => type === "cloudflare:index/aiGateway:AiGateway");
  expect(gateway?.inputs.spendLimits).toEqual({
    enabled: true,
    rules: [rule("free", 5), rule("basic", 50), rule("pro", 200.5)],
  });
});

test("declares a row for every pool entry, with its capacity and environment", async () => {
  const gateways = [
    { id: "a", capacity: 2, enabled: true },
    { id: "b", capacity: 0, enabled: false, environment: "staging" as const },
  ];
  const { declared, result } = await declare(
    () => new AiGatewayPool("pool", { site: fakeSite("production"), gateways, ...settings }),
  );
  expect(only(declared, "DatabaseRecord", "ai-gateway-a").inputs).toMatchObject({
    table: "tenantry.ai_gateways",
    key: { gateway_id: "a" },
    values: { environment: null, enabled: true, max_instances: 2 },
  });
  expect(only(declared, "DatabaseRecord", "ai-gateway-b").inputs.values).toEqual({
    environment: "staging",
    enabled: false,
    max_instances: 0,
  });
  expect(result.entries.a && (await resolved(result.entries.a))).toBe("row-of-ai-gateway-a");
});

test("restricts an entry to its environment by default outside production", async () => {
  const gateways = [
    { id: "a", capacity: 2, enabled: true },
    { id: "b", capacity: 2, enabled: true, environment: "staging" as const },
  ];
  const { declared } = await declare(
    () => new AiGatewayPool("pool", { site: fakeSite("development"), gateways, ...settings }),
  );
  const environments = ["a", "b"].map((id) => only(declared, "DatabaseRecord", `ai-gateway-${id}`).inputs.values);
  expect(environments).toMatchObject([{ environment: "development" }, { environment: "staging" }]);
});
