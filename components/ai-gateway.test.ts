import { expect, test } from "vitest";
import { AiGateway } from "./ai-gateway.ts";
import { AiGatewayPool } from "./ai-gateway-pool.ts";
import { declare, only, resolved } from "./testing/declared.ts";
import { fakeSite } from "./testing/fakes.ts";

const pii = { action: "BLOCK" as const, profiles: ["profile"] };

test("demands a token, caches nothing, filters PII and sends nothing elsewhere", async () => {
  const { declared } = await declare(() => new AiGateway("one", { accountId: "account", gatewayId: "one", pii }));
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

test("keeps a row for every pool entry, with its ceiling and environment", async () => {
  const gateways = [
    { id: "a", capacity: 2, enabled: true },
    { id: "b", capacity: 0, enabled: false, environment: "staging" as const },
  ];
  const { declared, result } = await declare(
    () => new AiGatewayPool("pool", { site: fakeSite("production"), gateways, pii }),
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

test("keeps an entry declared outside production to its environment, unless told otherwise", async () => {
  const gateways = [
    { id: "a", capacity: 2, enabled: true },
    { id: "b", capacity: 2, enabled: true, environment: "staging" as const },
  ];
  const { declared } = await declare(() => new AiGatewayPool("pool", { site: fakeSite("development"), gateways, pii }));
  const environments = ["a", "b"].map((id) => only(declared, "DatabaseRecord", `ai-gateway-${id}`).inputs.values);
  expect(environments).toMatchObject([{ environment: "development" }, { environment: "staging" }]);
});
