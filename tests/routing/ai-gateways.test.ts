/** AI gateways of a complete edge: created by the API, called by a provider's client. */
import Cloudflare from "cloudflare";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { describeEdge } from "#local/state/edge-file.ts";
import { call } from "../testing/http.ts";
import { temporaryEdge } from "../testing/platform.ts";

test("accept a token of the account, on loopback names only", async () => {
  const edge = await temporaryEdge();
  const account_id = edge.accountId;
  const cloudflare = new Cloudflare({ apiToken: edge.apiToken, baseURL: edge.apiUrl, maxRetries: 0 });
  await cloudflare.aiGateway.create({
    account_id,
    id: "pool-a",
    authentication: true,
    cache_invalidate_on_update: true,
    cache_ttl: 0,
    collect_logs: true,
    rate_limiting_interval: 0,
    rate_limiting_limit: 0,
  });
  const groups = await cloudflare.accounts.tokens.permissionGroups.list({ account_id, name: "AI Gateway Run" });
  const token = await cloudflare.accounts.tokens.create({
    account_id,
    name: "acme",
    policies: [
      {
        effect: "allow",
        permission_groups: [{ id: groups.result[0]?.id ?? "" }],
        resources: { [`com.cloudflare.api.account.${account_id}`]: "*" },
      },
    ],
  });

  expect(describeEdge(edge, { automation: "http://127.0.0.1:1", tenants: [], users: [] }).aiGatewayUrl).toBe(
    `http://127.0.0.1:${edge.port}/ai-gateway`,
  );
  const path = `/ai-gateway/v1/${account_id}/pool-a/openai`;
  const openai = new OpenAI({
    apiKey: "nobody's",
    baseURL: `${edge.aiGatewayUrl}/v1/${account_id}/pool-a/openai`,
    defaultHeaders: { "cf-aig-authorization": `Bearer ${token.value}` },
    maxRetries: 0,
  });
  const pieces: string[] = [];
  const messages = [{ role: "user" as const, content: "Who are you?" }];
  for await (const chunk of await openai.chat.completions.create({ model: "mock", messages, stream: true })) {
    pieces.push(chunk.choices[0]?.delta.content ?? "");
  }
  expect(pieces.join("")).toContain("Who are you?");
  const { result } = await cloudflare.aiGateway.logs.list("pool-a", { account_id });
  expect(result).toMatchObject([{ provider: "openai", success: true }]);

  expect((await call(edge, "127.0.0.1", `${path}/models`)).status).toBe(401);
  expect((await call(edge, `acme.${edge.domain}`, `${path}/models`)).status).not.toBe(401);
  expect((await fetch(`${edge.aiGatewayUrl}/v1`)).status).toBe(400);
});
