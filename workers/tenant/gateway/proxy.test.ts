import { sendRaw } from "@tenantry/test-kit/raw";
import { describe, expect } from "vitest";
import { WebSocket } from "ws";
import { crash, running } from "../testing/backup-tenant.ts";
import { eventually, faultGateway, slowGateway, TOKEN } from "../testing/harness.ts";
import { test as base } from "../testing/test.ts";

const browser = { accept: "text/html,application/xhtml+xml", "sec-fetch-mode": "navigate" };

const test = base
  .extend("tenant", { scope: "file" }, async ({ openFileTenant }) => {
    const tenant = await openFileTenant(slowGateway);
    await running(tenant);
    return tenant;
  })
  .extend("faulty", { scope: "file" }, async ({ openFileTenant }) => {
    const tenant = await openFileTenant(faultGateway("break"));
    await running(tenant);
    return tenant;
  });

describe("while the gateway starts", () => {
  test("sends browsers a page and programs a 503, and then the gateway's page", async ({ openTenant }) => {
    const tenant = await openTenant(slowGateway);
    const page = await tenant.fetch("/", { headers: browser });
    expect(page.status).toBe(503);
    expect(page.headers.get("content-type")).toContain("text/html");
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(await page.text()).toContain("/api/health/ws");

    const api = await tenant.fetch("/api/notes");
    expect(api.status).toBe(503);
    expect(api.headers.get("retry-after")).toBe("2");
    expect(await api.json()).toMatchObject({ error: { code: "gateway_starting" } });
    expect(
      (await tenant.fetch("/api/notes", { method: "POST", headers: browser, body: "{}" })).headers.get("content-type"),
    ).toContain("json");

    await tenant.until(({ status }) => status === "running", "?passive=1");
    const entered = await tenant.fetch("/", { headers: browser });
    expect(entered.status).toBe(200);
    expect(await entered.text()).toContain("Gateway of");
    expect(tenant.processes("gateway")).toHaveLength(1);
  });

  test("restarts a stopped gateway on the next request", async ({ openTenant }) => {
    const tenant = await openTenant(slowGateway);
    await tenant.until(({ status }) => status === "running");
    expect((await tenant.fetch("/")).status).toBe(200);
    await crash(tenant);
    expect((await tenant.fetch("/")).status).toBe(503);
    await eventually(async () => (await tenant.fetch("/")).status === 200);
    expect(tenant.processes("gateway")).toHaveLength(1);
  });
});

describe("while the gateway runs", () => {
  test("counts visits, shows the role, and keeps its state after a restart", async ({ tenant }) => {
    const visits = async () =>
      Number(
        /id="visits">(\d+)</.exec(
          await (await tenant.fetch("/", { headers: { "X-Platform-Role": "ROOT" } })).text(),
        )?.[1],
      );
    const first = await visits();
    expect(await visits()).toBe(first + 1);
    const added = await tenant.fetch("/api/notes", { method: "POST", body: JSON.stringify({ text: "remember me" }) });
    expect(added.status).toBe(201);
    const restarted = await tenant.fetch("/api/admin/gateway/restart", {
      method: "POST",
      headers: { "X-Platform-Role": "ROOT" },
    });
    expect(restarted.status).toBe(202);
    await tenant.until(({ status }) => status === "running");
    expect(await visits()).toBe(first + 2);
    expect(await (await tenant.fetch("/api/notes")).text()).toContain("remember me");
  });

  test("streams a response", async ({ tenant }) => {
    const response = await tenant.fetch("/api/count?to=3&everyMs=50");
    const chunks: string[] = [];
    for await (const chunk of response.body ?? []) chunks.push(new TextDecoder().decode(chunk));
    expect(chunks.join("")).toBe("1\n2\n3\n");
    expect(chunks.length).toBeGreaterThan(1);
  });

  test("passes Content-Length on", async ({ tenant }) => {
    const response = await tenant.fetch("/api/notes", { headers: { "accept-encoding": "identity" } });
    const text = await response.text();
    expect(response.headers.get("content-length")).toBe(String(Buffer.byteLength(text)));
  });

  test("returns an error when the gateway closes the connection before it responds", async ({ faulty }) => {
    const response = await faulty.fetch("/nothing", { signal: AbortSignal.timeout(30_000) });
    expect(response.status).toBe(502);
  });

  test("returns an error when a response breaks halfway", async ({ faulty }) => {
    const response = await faulty.fetch("/sized");
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  test("passes text, binary and large WebSocket messages", async ({ tenant }) => {
    const socket = new WebSocket(`${tenant.url.replace("http", "ws")}/echo`);
    await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
    const next = () =>
      new Promise<[Buffer, boolean]>((resolve) =>
        socket.once("message", (data, binary) => resolve([data as Buffer, binary])),
      );
    for (const message of ["hello", Buffer.from([0, 1, 2]), "ü".repeat(60_000)]) {
      const answer = next();
      socket.send(message);
      const [data, binary] = await answer;
      expect(binary).toBe(typeof message !== "string");
      expect(data.equals(Buffer.from(message))).toBe(true);
    }
    const closed = new Promise<number>((resolve) => socket.once("close", resolve));
    socket.close(1000);
    expect(await closed).toBe(1000);
  });

  test("sends the gateway its token and the platform's headers, without the user's credentials", async ({ faulty }) => {
    const response = await faulty.fetch("/headers", {
      headers: {
        authorization: "Bearer of-the-client",
        cookie: "theme=dark; CF_Authorization=jwt.of.user",
        "cf-access-jwt-assertion": "jwt.of.user",
        "x-forwarded-for": "192.0.2.1",
        "x-sandbox-port": "1",
        "X-Platform-Role": "BASE_USER",
        "X-Platform-Metadata": "e30=",
        "X-Platform-Brand": "e30=",
        "X-Platform-Admitted-At": String(Date.now()),
      },
    });
    // Only the Worker may send it to the dispatch Worker.
    expect(response.headers.get("x-platform-cut-at")).toBeNull();
    const received = (await response.json()) as Record<string, string>;
    expect(received).toMatchObject({
      authorization: `Bearer ${TOKEN}`,
      cookie: "theme=dark",
      host: new URL(faulty.url).host,
      "x-platform-role": "BASE_USER",
      "x-platform-metadata": "e30=",
    });
    expect(JSON.stringify(received)).not.toContain("jwt.of.user");
    for (const name of [
      "x-sandbox-port",
      "x-forwarded-for",
      "x-forwarded-host",
      "x-platform-brand",
      "x-platform-admitted-at",
    ])
      expect(received).not.toHaveProperty(name);
  });

  test("responds to a client that sends Expect: 100-continue, and to its next request", async ({ tenant }) => {
    const { port } = new URL(tenant.url);
    const body = JSON.stringify({ text: "asked for" });
    const headers = `Host: acme\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: ${body.length}`;
    const { text } = await sendRaw(Number(port), `POST /api/notes HTTP/1.1\r\n${headers}\r\n\r\n${body}`);
    // First 100 Continue.
    expect(text).toMatch(/^(?:HTTP\/1\.1 100 Continue\r\n\r\n)?HTTP\/1\.1 201 /);
    for (let call = 0; call < 5; call++) expect((await tenant.fetch("/api/nothing")).status).toBe(404);
  });

  test("never exposes the gateway's token", async ({ tenant }) => {
    const paths = ["/", "/api/notes", "/api/health", "/api/nothing", "/api/admin/gateway/log", "/api/otel/v1/metrics"];
    for (const path of paths) {
      const response = await tenant.fetch(path, { headers: { "X-Platform-Role": "ROOT" } });
      expect(JSON.stringify([...response.headers]) + (await response.text())).not.toContain(TOKEN);
    }
  });
});
