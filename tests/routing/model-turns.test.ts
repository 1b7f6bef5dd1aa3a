/** Turns of a tenant's gateway, through the AI gateway that the tenant binds. */
import Cloudflare from "cloudflare";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ACCOUNT_ID } from "../../local/account/account.ts";
import type { Edge } from "../../local/edge.ts";
import { type Answer, call, callUntil, loggedIn } from "../testing/http.ts";
import { openEdge, platformSettings, stackOf } from "../testing/platform.ts";

const ACME = "acme.tenantry.localhost";

let edge: Edge;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ edge, close } = await openEdge());
});
afterAll(() => close());

async function deployWith(aiGateway: string): Promise<void> {
  const all = platformSettings([{ slug: "acme", aiGateway }]);
  const pool = ["pool-a", "pool-b"].map((id) => ({ id, capacity: 2 }));
  await (await stackOf(edge, { ...all, "tenantry:platform": { ...all["tenantry:platform"], aiGateways: pool } })).up();
}

/** Asks the agent. */
async function ask(text: string): Promise<Answer> {
  const headers = {
    ...(await loggedIn(edge, "root@tenantry.example", ACME)),
    "content-type": "application/json",
  };
  return call(edge, ACME, "/api/ask", { method: "POST", headers, body: JSON.stringify({ text }) });
}

/** What an AI gateway has in its log, newest first. */
async function log(gateway: string) {
  const api = new Cloudflare({ apiToken: edge.apiToken, baseURL: edge.apiUrl, maxRetries: 0 });
  const { result } = await api.aiGateway.logs.list(gateway, { account_id: ACCOUNT_ID });
  return result;
}

/** What the tenant's metrics say: queries, input tokens and millionths of a dollar. */
function counted(): number[] {
  const sum = (metric: string, column: number) =>
    edge.runtime
      .dataPoints("tenantry")
      .filter(({ index, blobs }) => index === "acme" && blobs[0] === metric)
      .reduce((all, { doubles }) => all + (doubles[column] ?? 0), 0);
  return [sum("ai_queries", 0), sum("ai_queries", 1), sum("ai_spend", 0)];
}

const everyMinute = () =>
  call(edge, "127.0.0.1", "/local/scheduled", {
    method: "POST",
    headers: { authorization: `Bearer ${edge.apiToken}`, "content-type": "application/json" },
    body: JSON.stringify({ script: "tenantry-dispatch", cron: "* * * * *" }),
  });

test("are in the log of the tenant's AI gateway, with its name; after a move in the other's", async () => {
  await deployWith("pool-a");
  const first = await callUntil(
    () => ask("What is the time?"),
    ({ status }) => status === 200,
  );
  expect(first.body).toContain("What is the time?");
  const before = await log("pool-a");
  expect(before).toMatchObject([{ provider: "openai", model: "gpt-5-mini", success: true, cached: false }]);
  expect(before[0]?.metadata).toContain('"tenant":"acme"');
  expect(before[0]?.tokens_in).toBeGreaterThan(0);

  await deployWith("pool-b");
  // The gateway is started anew with what it is told now; what it is asked until then may still go the old way.
  await expect
    .poll(
      async () => {
        await ask("And now?");
        return (await log("pool-b")).length;
      },
      { timeout: 60_000, interval: 300 },
    )
    .toBeGreaterThan(0);
  const after = (await log("pool-a")).length;
  expect((await ask("And then?")).status).toBe(200);
  expect((await log("pool-a")).length).toBe(after);
  expect((await log("pool-b")).length).toBeGreaterThan(1);
});

test("are counted from the logs of all gateways, each once", async () => {
  const all = [...(await log("pool-a")), ...(await log("pool-b"))].filter(({ success }) => success);
  const tokens = all.reduce((sum, entry) => sum + (entry.tokens_in ?? 0), 0);
  const cost = all.reduce((sum, entry) => sum + Math.round((entry.cost ?? 0) * 1_000_000), 0);
  expect(cost).toBeGreaterThan(0);
  await everyMinute();
  await expect.poll(counted, { timeout: 60_000, interval: 300 }).toEqual([all.length, tokens, cost]);
  // The next minute meets the same entries, and one more.
  expect((await ask("Once more?")).status).toBe(200);
  await everyMinute();
  await expect.poll(() => counted()[0], { timeout: 60_000, interval: 300 }).toBe(all.length + 1);
});
