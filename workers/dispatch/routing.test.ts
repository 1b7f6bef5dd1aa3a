import { request as httpRequest } from "node:http";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { slugOfHostname } from "#domain/names/hostnames.ts";
import { errorBody } from "#workers/contracts/errors.ts";
import { decodeMetadata } from "#workers/contracts/platform-headers.ts";
import { type DispatchUnderTest, DOMAIN, startDispatch, tenant } from "./testing/start-dispatch.ts";

/** Long, because the machine may be busy. */
const SOON = { timeout: 40_000 };

let dispatch: DispatchUnderTest;
let session: Record<string, string>;

beforeAll(async () => {
  dispatch = await startDispatch();
  dispatch.rest.tenants.set("acme", tenant("acme"));
  dispatch.rest.roles.set("acme ada@acme.test", "ADMIN");
});
afterAll(() => dispatch?.stop());
beforeEach(async () => {
  const jwt = await dispatch.access.token({ email: "Ada@Acme.test", aud: ["audience-of-acme"] });
  session = { "cf-access-jwt-assertion": jwt };
});

const acme = `acme.${DOMAIN}`;

interface Seen {
  worker: string;
  limits: unknown;
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
}

describe("a tenant's host", () => {
  test("reaches its Worker with role, metadata and the plan's limits", async () => {
    const response = await dispatch.fetch(acme, "/a%20b?c=d", { method: "POST", body: "hello", headers: session });
    expect(response.status).toBe(200);
    const seen = (await response.json()) as Seen;
    expect(seen).toMatchObject({
      worker: "tenant-acme",
      method: "POST",
      url: `https://${acme}/a%20b?c=d`,
      body: "hello",
    });
    expect(seen.limits).toEqual({ cpuMs: 50_000, subRequests: 100 });
    expect(seen.headers["x-platform-role"]).toBe("ADMIN");
    expect(decodeMetadata(seen.headers["x-platform-metadata"] ?? "")).toEqual({
      v: 1,
      plan: "pro",
      seats: 3,
      credits: { purchased: 100, consumed: 25.5 },
      limits: { cpuMs: 50_000, subrequests: 100 },
    });
  });

  test("receives no platform headers from a client, and no token", async () => {
    const token = session["cf-access-jwt-assertion"] ?? "";
    const headers = {
      ...session,
      "x-platform-role": "ROOT",
      "x-platform-user": "root@platform.test",
      "X-Platform-Anything": "mine",
      "cf-access-client-secret": "secret",
      cookie: `theme=dark; CF_Authorization=${token}; lang=en`,
      authorization: "Bearer of the gateway's own",
    };
    const seen = (await (await dispatch.fetch(acme, "/", { headers })).json()) as Seen;
    expect(seen.headers["x-platform-role"]).toBe("ADMIN");
    expect(Object.keys(seen.headers).filter((name) => name.startsWith("x-platform-"))).toEqual([
      "x-platform-admitted-at",
      "x-platform-metadata",
      "x-platform-role",
      "x-platform-user",
    ]);
    expect(seen.headers["x-platform-user"]).toBe("ada@acme.test");
    expect(seen.headers.cookie).toBe("theme=dark; lang=en");
    expect(seen.headers.authorization).toBe("Bearer of the gateway's own");
    expect(JSON.stringify(seen)).not.toContain(token);
    expect(JSON.stringify(seen)).not.toContain("secret");
  });

  test("removes hop-by-hop headers, including those that Connection names", async () => {
    const seen = await raw(acme, {
      ...session,
      connection: "close, x-mine",
      "x-mine": "1",
      te: "trailers",
      "keep-alive": "x",
    });
    for (const name of ["connection", "x-mine", "te", "keep-alive"]) expect(seen.headers).not.toHaveProperty(name);
  });

  test("receives no header that resembles one of the platform's in another spelling", async () => {
    const sent = {
      X_Platform_Role: "ROOT",
      "X-Platform_Role": "ROOT",
      CF_Access_Jwt_Assertion: "token",
      cf_connecting_ip: "192.0.2.1",
      X_Forwarded_For: "192.0.2.1",
      x_own: "kept",
    };
    // As text, because HTTP clients do not send such headers.
    const seen = await new Promise<Seen>((resolve, reject) => {
      const { hostname, port } = dispatch.url;
      const headers = { host: acme, "mf-original-url": `https://${acme}/`, ...session, ...sent };
      httpRequest({ hostname, port, path: "/", headers }, (response) => {
        let text = "";
        response.on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () => resolve(JSON.parse(text)));
      })
        .on("error", reject)
        .end();
    });
    expect(Object.keys(seen.headers).filter((name) => name.includes("_"))).toEqual(["x_own"]);
    expect(seen.headers["x-platform-role"]).toBe("ADMIN");
  });

  test("sets cookies for its own host only", async () => {
    const cookies = [
      `a=1; Domain=${DOMAIN}; Path=/; Secure`,
      "b=2; path=/;domain = .example.test;HttpOnly",
      "c=3; DOMAIN=test; domain=example.test",
      `d=4; domain=${acme}`,
      "e=domain; Max-Age=60",
      "f=6;domain",
    ];
    const query = new URLSearchParams(cookies.map((cookie) => ["set", cookie]));
    const response = await dispatch.fetch(acme, `/cookies?${query}`, { headers: session });
    expect(await response.text()).toBe("cookies");
    expect(response.headers.getSetCookie()).toEqual([
      "a=1; Path=/; Secure",
      "b=2; path=/;HttpOnly",
      "c=3",
      "d=4",
      "e=domain; Max-Age=60",
      "f=6",
    ]);
  });

  test("forwards WebSockets with the same login", async () => {
    const upgrade = { upgrade: "websocket" };
    expect((await dispatch.fetch(acme, "/ws", { headers: upgrade })).status).toBe(401);
    const { status, webSocket } = await dispatch.fetch(acme, "/ws", { headers: { ...upgrade, ...session } });
    expect(status).toBe(101);
    const messages: unknown[] = [];
    const echoed = new Promise<void>((resolve) => {
      webSocket?.addEventListener("message", ({ data }) => {
        messages.push(data);
        if (messages.length === 2) resolve();
      });
    });
    webSocket?.accept();
    webSocket?.send("ping");
    await echoed;
    webSocket?.close();
    expect(messages).toEqual([JSON.stringify({ worker: "tenant-acme", role: "ADMIN" }), "ping"]);
  });

  test("refuses writes from a page of another tenant", async () => {
    const from = (origin: string, init: { method: string; upgrade?: string }) =>
      dispatch.fetch(acme, "/ws", {
        method: init.method,
        headers: { ...session, origin, ...(init.upgrade ? { upgrade: init.upgrade } : {}) },
      });
    expect((await from(`https://evil.${DOMAIN}`, { method: "POST" })).status).toBe(403);
    expect((await from("null", { method: "DELETE" })).status).toBe(403);
    expect((await from(`https://evil.${DOMAIN}`, { method: "GET", upgrade: "websocket" })).status).toBe(403);
    expect((await from(`https://${acme}`, { method: "POST" })).status).toBe(200);
    expect((await from(`https://evil.${DOMAIN}`, { method: "GET" })).status).toBe(200);
  });

  test("refuses internal paths in any spelling", async () => {
    const paths = [
      "/api/internal/tick",
      "/api/internal",
      "/api//internal/tick",
      "/api/%69nternal/tick",
      "/api/x/..%2finternal/tick",
      "/API/Internal/tick",
      "/api%2Finternal%2Ftick",
    ];
    for (const path of paths) {
      const response = await dispatch.fetch(acme, path, { method: "POST", headers: session });
      expect([path, response.status]).toEqual([path, 404]);
      await response.body?.cancel();
    }
    expect(dispatch.ticks).toEqual([]);
    expect((await dispatch.fetch(acme, "/api/internals", { headers: session })).status).toBe(200);
  });

  test("handles a Worker that is missing, throws or exceeds its limits, without details", async () => {
    dispatch.rest.tenants.set("missing", tenant("missing", { access_aud: "audience-of-acme" }));
    dispatch.rest.roles.set("missing ada@acme.test", "ADMIN");
    const missing = await dispatch.fetch(`missing.${DOMAIN}`, "/", { headers: session });
    expect([missing.status, missing.headers.get("retry-after")]).toEqual([503, "5"]);
    const throws = await dispatch.fetch(acme, "/throws", { headers: session });
    expect(throws.status).toBe(502);
    expect(await throws.text()).not.toContain("secret detail");
    expect((await dispatch.fetch(acme, "/over-limit", { headers: session })).status).toBe(429);
  });
});

test("sends each plan's limits and metadata with requests", async () => {
  const plans = [
    { plan: "free", cpuMs: 10_000, subrequests: 10 },
    { plan: "basic", cpuMs: 30_000, subrequests: 50 },
    { plan: "pro", cpuMs: 50_000, subrequests: 100 },
    { plan: "enterprise", cpuMs: 90_000, subrequests: 1000 },
  ] as const;
  for (const { plan, cpuMs, subrequests } of plans) {
    dispatch.rest.tenants.set(plan, tenant(plan, { billing_plan: plan }));
    const response = await dispatch.fetch(`${plan}.${DOMAIN}`, "/api/health");
    const { limits, headers } = (await response.json()) as { limits: unknown; headers: Record<string, string> };
    expect(limits).toEqual({ cpuMs, subRequests: subrequests });
    const metadata = JSON.parse(Buffer.from(headers["x-platform-metadata"] ?? "", "base64").toString());
    expect(metadata).toMatchObject({ v: 1, plan, limits: { cpuMs, subrequests } });
  }
});

describe("hosts", () => {
  test("returns 404 for an unknown tenant", async () => {
    const response = await dispatch.fetch(`nobody.${DOMAIN}`, "/", { headers: session });
    expect(response.status).toBe(404);
    expect(errorBody.parse(await response.json()).error.code).toBe("tenant_not_found");
  });

  test("routes only a tenant's own label under the domain", async () => {
    const label = fc.oneof(
      fc.constantFrom(
        "acme",
        "ACME",
        "dash",
        "dev-dash",
        "xn--bcher-kva",
        "acme-dev",
        "a.acme",
        "-acme",
        "_dispatch",
        "acme.",
      ),
      fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/),
    );
    const tail = fc.constantFrom(
      `.${DOMAIN}`,
      `.${DOMAIN}.`,
      `.${DOMAIN}:8787`,
      `.${DOMAIN.toUpperCase()}`,
      ".other.test",
      "",
    );
    let calls = 0;
    await fc.assert(
      fc.asyncProperty(label, tail, async (name, rest) => {
        fc.pre(URL.canParse(`https://${name}${rest}/`));
        const slug = slugOfHostname(new URL(`https://${name}${rest}/`).hostname, "production", DOMAIN);
        // Each from its own address, to stay below the rate limit per address.
        calls += 1;
        const headers = { "cf-connecting-ip": `192.0.2.${calls}` };
        const response = await dispatch.fetch(`${name}${rest}`, "/", { headers });
        await response.body?.cancel();
        expect(response.status).toBe(slug && dispatch.rest.tenants.has(slug) ? 401 : 404);
      }),
      { numRuns: 150 },
    );
  });
});

test("logs one line per request, without token, e-mail address or path", async () => {
  const headers = { ...session, "cf-ray": "of-this-one" };
  await (await dispatch.fetch(acme, "/private/path?token=abc", { headers })).text();
  const lines = () => dispatch.logs.filter((line) => line.includes("of-this-one"));
  await expect.poll(() => lines().length, SOON).toBe(1);
  const line = lines()[0] ?? "";
  expect(JSON.parse(line)).toMatchObject({
    event: "request.answered",
    tenant: "acme",
    outcome: "dispatched",
    status: 200,
    role: "ADMIN",
  });
  expect(line).not.toMatch(/private|abc|@|eyJ/);
});

/** Sends a request with headers that HTTP clients refuse to send. */
function raw(host: string, headers: Record<string, string>): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = dispatch.url;
    const sent = httpRequest({ hostname, port, headers: { ...headers, host } }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      resolve(JSON.parse(Buffer.concat(chunks).toString()) as Seen);
    });
    sent.on("error", reject).end();
  });
}
