import Cloudflare from "cloudflare";
import { expect, test } from "vitest";
import { ACCOUNT_ID } from "#local/account.ts";
import { changedResources } from "../testing/engine.ts";
import { platformSettings, stackOf, temporaryPlatform } from "../testing/platform.ts";

test("detects and reverts disabled tokens, a gateway's changed log destination and removed limits", async () => {
  const edge = await temporaryPlatform();
  const settings = platformSettings([{ slug: "acme" }]);
  // A bucket's credentials are a token too.
  const platform = { ...settings["tenantry:platform"], bucketCredentials: true };
  const stack = await stackOf(edge, { ...settings, "tenantry:platform": platform });
  await stack.up();
  const api = new Cloudflare({ apiToken: edge.apiToken, baseURL: edge.apiUrl, maxRetries: 0 });
  for (const { id, name, policies } of edge.store.list("api_token")) {
    const body = { name, policies, status: "disabled" };
    await api.put(`/accounts/${ACCOUNT_ID}/tokens/${id}`, { body });
  }
  const { id: _, created_at, modified_at, ...declared } = edge.store.get("ai_gateway", "pool-a") ?? {};
  await api.put(`/accounts/${ACCOUNT_ID}/ai-gateway/gateways/pool-a`, {
    body: {
      ...declared,
      logpush: true,
      log_classification: true,
      zdr: true,
      byok_only: true,
      spend_limits: { enabled: false, rules: [] },
      otel: [{ authorization: "key", headers: {}, url: "https://collector.example/v1/traces" }],
    },
  });

  const tokens = ["acme", "acme-ai-gateway", "ai-gateway-logs", "analytics", "service-tokens"].map(
    (name) => `update AccountToken ${name}`,
  );
  const changed = [...tokens, "update AiGateway pool-a"];
  expect(await changedResources(stack, "refresh")).toEqual(expect.arrayContaining(changed));
  expect((await changedResources(stack, "up")).toSorted()).toEqual(changed);
  expect(edge.store.list("api_token").map(({ status }) => status)).toEqual(tokens.map(() => "active"));
  expect(edge.store.get("ai_gateway", "pool-a")).toMatchObject({
    logpush: false,
    log_classification: false,
    zdr: false,
    byok_only: false,
    otel: [],
    spend_limits: { enabled: true },
  });
  expect(await changedResources(stack, "up")).toEqual([]);
});
