/** Which requests pass to the gateway, and how long they may take. */
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect } from "vitest";
import { errorBody } from "#workers/contracts/errors.ts";
import { encodeBrand } from "#workers/contracts/platform-headers.ts";
import { ADMIN, crash, running } from "../testing/backup-tenant.ts";
import { eventually, scriptedGateway, type Tenant, type TenantOptions } from "../testing/harness.ts";
import { gatewayOf, openEcho } from "../testing/sleeping-tenant.ts";
import { test as base } from "../testing/test.ts";

const test = base.extend("open", ({ openTenant }) => async (gateway: string[], options?: TenantOptions) => {
  const tenant = await openTenant(gateway, options);
  await running(tenant);
  return tenant;
});

/** The gateway's own text, or the status of the response instead of it. */
async function readHealth(tenant: Tenant): Promise<string> {
  const response = await tenant.fetch("/well");
  const answer = await response.text();
  return response.status === 200 ? answer : String(response.status);
}

/** Waits until the starting gateway responds, although it is not healthy yet. */
const answering = (tenant: Tenant) =>
  tenant.until(({ liveness }) => liveness.error?.includes("503") === true, "?passive=1");

describe.concurrent("after readiness failed", () => {
  test("passes no request until a check finds the gateway ready", async ({ open }) => {
    const tenant = await open(scriptedGateway());
    expect(await readHealth(tenant)).toBe("well");
    const change = () => process.kill(gatewayOf(tenant), "SIGUSR2");
    change();
    // The gateway would still respond, and was ready a moment ago.
    await tenant.until(({ readiness }) => !readiness.ok, "?passive=1");
    const refused = await tenant.fetch("/well");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "2"]);
    expect(errorBody.parse(await refused.json()).error.code).toBe("gateway_starting");
    change();
    await tenant.until(({ readiness }) => readiness.ok, "?passive=1");
    expect(await readHealth(tenant)).toBe("well");
  });

  test("passes no request to a restarted gateway before it is ready", async ({ open }) => {
    const tenant = await open(scriptedGateway(2_000));
    expect(await readHealth(tenant)).toBe("well");
    await crash(tenant);
    expect((await tenant.health()).status).toBe("starting");
    await answering(tenant);
    const seen = new Set<string>();
    await eventually(async () => seen.add(await readHealth(tenant)).has("well"));
    expect(seen).toEqual(new Set(["503", "well"]));
  });

  test("passes no request to a gateway that a restart has just started", async ({ open }) => {
    const tenant = await open(scriptedGateway(2_000));
    expect(await readHealth(tenant)).toBe("well");
    await tenant.fetch("/api/admin/gateway/restart", { method: "POST", headers: ADMIN });
    await answering(tenant);
    const seen = new Set<string>();
    await eventually(async () => seen.add(await readHealth(tenant)).has("well"));
    expect(seen).toEqual(new Set(["503", "well"]));
  });
});

describe.concurrent("a request without a response of the gateway", () => {
  const limits = { bindings: { GATEWAY_ANSWER_SECONDS: "2" } };

  test("ends with gateway_timeout", async ({ open }) => {
    const tenant = await open(scriptedGateway(), limits);
    const began = Date.now();
    const response = await tenant.fetch("/never");
    expect(response.status).toBe(504);
    expect(errorBody.parse(await response.json()).error).toMatchObject({
      code: "gateway_timeout",
      message: expect.stringContaining("2 s"),
    });
    expect(Date.now() - began).toBeGreaterThanOrEqual(2_000);
    expect(await readHealth(tenant)).toBe("well");
  });

  test("shows a person a page with the partner's brand", async ({ open }) => {
    const tenant = await open(scriptedGateway(), limits);
    const headers = {
      "x-platform-brand": encodeBrand({ name: "North & Sons", colours: {}, support: "help@north.test" }),
      "x-platform-user": "ada@acme.test",
      "x-platform-role": "BASE_USER",
      accept: "text/html",
    };
    const page = await tenant.fetch("/never", { headers });
    expect([page.status, page.headers.get("content-type")]).toEqual([504, "text/html; charset=utf-8"]);
    const html = await page.text();
    for (const text of [
      "<h1>The gateway did not respond in time</h1>",
      "North &amp; Sons",
      "help@north.test",
      "ada@acme.test",
    ])
      expect(html).toContain(text);
  });

  test("does not time out while a response or a WebSocket is open", async ({ open }) => {
    const tenant = await open(scriptedGateway(), limits);
    const socket = await openEcho(tenant);
    const answer = await tenant.fetch("/slow?ms=4000");
    expect(await answer.text()).toBe("begun,ended");
    const message = new Promise((resolve) => socket.once("message", (data) => resolve(String(data))));
    socket.send("still there");
    expect(await message).toBe("still there");
    socket.terminate();
  });

  test.for([undefined, "5"])(
    "does not time out while its body is being sent (Content-Length: %s)",
    async (length, { open }) => {
      const tenant = await open(scriptedGateway(), limits);
      const sent = request(`${tenant.url}/bytes`, {
        method: "POST",
        ...(length === undefined ? {} : { headers: { "content-length": length } }),
      });
      const answer = new Promise<string>((resolve, reject) => {
        sent.once("response", (response) => text(response).then(resolve, reject));
        sent.once("error", reject);
      });
      for (let i = 0; i < 5; i++) {
        sent.write("x");
        await delay(800);
      }
      sent.end();
      expect(await answer).toBe("5");
    },
  );
});
