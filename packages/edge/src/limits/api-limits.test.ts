/** The API accepts requests at Cloudflare's limits, and refuses those beyond with Cloudflare's status and code. */
import { LIMITS, type Limit, type Refusal } from "@tenantry/cloudflare-limits/limits";
import { expect, onTestFinished, test } from "vitest";
import { startApiServer } from "../cloudflare/api/testing/api-server.ts";
import type { LimitOverrides } from "./edge-limits.ts";
import { ApiCalls } from "./testing/api-calls.ts";
import { limitCases } from "./testing/cases.ts";
import type { LimitCase } from "./testing/limit-case.ts";

async function openApi(limits: LimitOverrides = {}, now?: () => number) {
  const server = await startApiServer(undefined, { limits, ...(now && { now }) });
  onTestFinished(server.close);
  return { server, api: new ApiCalls(server) };
}

test.each(Object.keys(limitCases) as (keyof typeof limitCases)[])("enforces %s", async (name) => {
  const limit: Limit = LIMITS[name];
  const { at = limit.value, kind, prepare, send }: LimitCase = limitCases[name];
  const { api } = await openApi({ [name]: at });
  const prepared = await prepare?.(api);
  for (let value = kind === "count" ? 1 : at; value <= at; value += 1) {
    expect(await send(api, value, prepared)).not.toHaveProperty("code");
  }
  const { status, code } = limit.beyond as Refusal;
  expect(await send(api, limit.isMinimum ? at - 1 : at + 1, prepared)).toMatchObject({ status, code });
});

test("refuses further requests of a token for five minutes, with the seconds to wait", async () => {
  const clock = { now: Date.parse("2026-11-26T12:00:00Z") };
  const { server } = await openApi({ apiRequests: 2 }, () => clock.now);
  const ask = (token = server.apiToken) =>
    fetch(`${server.url}/user/tokens/verify`, { headers: { authorization: `Bearer ${token}` } });
  const first = await ask();
  expect(first.headers.get("ratelimit")).toBe('"default";r=1;t=300');
  expect(first.headers.get("ratelimit-policy")).toBe('"default";q=2;w=300');
  expect(first.headers.has("retry-after")).toBe(false);
  clock.now += 200_000;
  expect((await ask()).status).toBe(200);
  const refused = await ask();
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("300");
  expect(await refused.json()).toMatchObject({ success: false, errors: [{ code: 971 }] });
  expect((await ask("another")).status).toBe(401);
  clock.now += 299_500;
  expect((await ask()).headers.get("retry-after")).toBe("1");
  clock.now += 500;
  expect((await ask()).status).toBe(200);
});
