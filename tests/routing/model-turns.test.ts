/** Model calls of a tenant's gateway through the tenant's AI gateway. */
import { readFileSync } from "node:fs";
import { Inside } from "@tenantry/edge/testing/runtime";
import Cloudflare from "cloudflare";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { ACCOUNT_ID } from "#local/account.ts";
import type { Edge } from "#local/edge.ts";
import { AI_GATEWAY_URL_VARIABLE } from "#workers/contracts/tenant/sandbox.ts";
import { type GatewayProcess, gatewayProcesses } from "#workers/tenant/testing/gateway-processes.ts";
import { type Answer, call, callUntil, everyMinute, loggedIn } from "../testing/http.ts";
import { openPlatform, platformSettings, stackOf } from "../testing/platform.ts";

const ACME = "acme.tenantry.localhost";
const PROVIDER_KEY = "sk-of-model-turns";

let edge: Edge;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ edge, close } = await openPlatform());
});
afterAll(() => close());

function settingsWith(aiGateway: string, platform: object = {}) {
  const all = platformSettings([{ slug: "acme", aiGateway }]);
  const pool = ["pool-a", "pool-b"].map((id) => ({ id, capacity: 2 }));
  return {
    ...all,
    "tenantry:platform": { ...all["tenantry:platform"], aiGateways: pool, ...platform },
    "tenantry:providerKeys": { openai: PROVIDER_KEY },
  };
}

const deployWith = async (aiGateway: string, platform: object = {}): Promise<void> =>
  void (await (await stackOf(edge, settingsWith(aiGateway, platform))).up());

/** Sends a message to the agent. */
async function ask(text: string): Promise<Answer> {
  const headers = {
    ...(await loggedIn(edge, "root@tenantry.example", ACME)),
    "content-type": "application/json",
  };
  return call(edge, ACME, "/api/ask", { method: "POST", headers, body: JSON.stringify({ text }) });
}

/** Returns an AI gateway's log, newest first. */
async function log(gateway: string) {
  const api = new Cloudflare({ apiToken: edge.apiToken, baseURL: edge.apiUrl, maxRetries: 0 });
  const { result } = await api.aiGateway.logs.list(gateway, { account_id: ACCOUNT_ID });
  return result;
}

/** Returns the tenant's metrics: queries, input tokens and millionths of a dollar. */
function counted(): number[] {
  const sum = (metric: string, column: number) =>
    edge.runtime
      .dataPoints("tenantry")
      .filter(({ index, blobs }) => index === "acme" && blobs[0] === metric)
      .reduce((all, { doubles }) => all + (doubles[column] ?? 0), 0);
  return [sum("ai_queries", 0), sum("ai_queries", 1), sum("ai_spend", 0)];
}

function gateway(): GatewayProcess {
  const marker = "marker" in edge.containers ? String(edge.containers.marker) : "";
  const found = gatewayProcesses(marker).find(({ type }) => type === "gateway");
  if (found === undefined) throw new Error("no gateway runs");
  return found;
}

/** Returns the environment of the gateway's process. */
function environment(): Record<string, string> {
  const entries = readFileSync(`/proc/${gateway().pid}/environ`, "utf8").split("\0");
  return Object.fromEntries(entries.map((entry) => /^([^=]+)=(.*)$/s.exec(entry)?.slice(1) ?? []));
}

test("are logged by the tenant's AI gateway with its name, and after a move by the other", async () => {
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
  // The gateway restarts with the new variables; earlier requests may still use the former ones.
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

test("are always attributed to the tenant, whose gateway has no credentials for others", async () => {
  const given = environment();
  expect(given.TENANT_SLUG).toBe("acme");
  for (const name of ["CF_AIG_AUTHORIZATION", "AI_GATEWAY_API_KEY", "PROVIDER_KEYS"])
    expect(given).not.toHaveProperty(name);
  expect(JSON.stringify(given)).not.toContain(PROVIDER_KEY);

  const inside = new Inside(gateway().pid);
  onTestFinished(() => inside.close());
  const url = await inside.reach(given[AI_GATEWAY_URL_VARIABLE] ?? "");
  const send = (gateway: string, headers: Record<string, string>) =>
    fetch(`${url}/v1/${given.CF_ACCOUNT_ID}/${gateway}/compat/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ model: given.DEFAULT_MODEL, messages: [{ role: "user", content: "Whose is this?" }] }),
    });
  const before = (await log("pool-b")).length;
  const hostile = {
    "cf-aig-metadata": '{"tenant":"hooli","environment":"production","team":"mine"}',
    "cf-aig-authorization": "Bearer stolen",
    "cf-aig-collect-log": "false",
    "cf-aig-custom-cost": '{"total_cost":0}',
  };
  expect((await send("pool-b", hostile)).status).toBe(200);
  expect((await send("pool-b", {})).status).toBe(200);
  const seen = await log("pool-b");
  expect(seen.length).toBe(before + 2);
  const metadata = seen.slice(0, 2).map((entry) => JSON.parse(String(entry.metadata)));
  expect(metadata).toEqual([
    expect.objectContaining({ tenant: "acme" }),
    expect.objectContaining({ tenant: "acme", team: "mine" }),
  ]);
  expect(seen[1]).toMatchObject({ custom_cost: false });

  const others = (await log("pool-a")).length;
  expect((await send("pool-a", {})).status).toBe(404);
  expect((await log("pool-a")).length).toBe(others);
});

test("are counted from the logs of all gateways, each once", async () => {
  const all = [...(await log("pool-a")), ...(await log("pool-b"))].filter(({ success }) => success);
  const tokens = all.reduce((sum, entry) => sum + (entry.tokens_in ?? 0), 0);
  const cost = all.reduce((sum, entry) => sum + Math.round((entry.cost ?? 0) * 1_000_000), 0);
  expect(cost).toBeGreaterThan(0);
  await everyMinute(edge);
  await expect.poll(counted, { timeout: 60_000, interval: 300 }).toEqual([all.length, tokens, cost]);
  // The next minute reads the same entries, and a new one.
  expect((await ask("Once more?")).status).toBe(200);
  await everyMinute(edge);
  await expect.poll(() => counted()[0], { timeout: 60_000, interval: 300 }).toBe(all.length + 1);
});

test("use the tenant's own key once it has one, logged and counted, and are not charged", async () => {
  const { invalidateToken } = await (await stackOf(edge, settingsWith("pool-b"))).outputs();
  const key = "sk-proj-own-key-of-acme-0123456789";
  const order = await call(edge, "_dispatch.tenantry.localhost", "/_provider-keys/acme", {
    method: "PUT",
    headers: { authorization: `Bearer ${String(invalidateToken?.value)}`, "content-type": "application/json" },
    body: JSON.stringify({ keys: [{ id: crypto.randomUUID(), provider: "openai", key }] }),
  });
  expect(order.status).toBe(204);
  const spent = counted()[2];
  const queries = counted()[0] ?? 0;
  expect((await ask("Who pays?")).body).toContain("Who pays?");
  const [entry] = await log("pool-b");
  expect(JSON.parse(String(entry?.metadata))).toMatchObject({ tenant: "acme", payer: "tenant" });
  expect(entry?.cost).toBeGreaterThan(0);
  await everyMinute(edge);
  await expect.poll(() => counted()[0], { timeout: 60_000, interval: 300 }).toBe(queries + 1);
  expect(counted()[2]).toBe(spent);
  expect(JSON.stringify(environment())).not.toContain(key);
});

// With the tenant's own key, to which the limit applies too.
test("are refused when the tenant has spent its plan's limit, and accepted with a higher one", async () => {
  const turn = async () => (await ask("What is left?")).body;
  await deployWith("pool-b", { aiSpendLimits: { basic: 0.000001 } });
  await expect.poll(turn, { timeout: 60_000, interval: 300 }).toMatch(/cost limit/);
  await deployWith("pool-b", { aiSpendLimits: { basic: null } });
  expect(await turn()).toContain("What is left?");
});
