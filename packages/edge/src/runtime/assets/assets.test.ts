import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { AssetConfig } from "../../cloudflare/kinds/assets/record.ts";
import { dispatchScript, putRoute, putScript, type TestScript } from "../testing/scripts.ts";
import { startTestEdge, type TestEdge } from "../testing/test-edge.ts";
import { exchange, openSocket } from "../testing/web-socket.ts";

const html = "text/html; charset=utf-8";
const files = {
  "/index.html": { text: "home", type: html },
  "/404.html": { text: "lost", type: html },
  "/about/index.html": { text: "about", type: html },
  "/page.html": { text: "page", type: html },
  "/assets/app.js": { text: "app", type: "text/javascript" },
  "/assets/ünter gras.bin": { text: "odd", type: null },
  "/quoted.txt": { text: "quoted", type: 'text/plain; charset="utf-8"' },
};

/** Reports that the Worker responded, or returns one of its files. */
const source = `export default { async fetch(request, env) {
  const { pathname, searchParams } = new URL(request.url);
  if (request.headers.get("upgrade") === "websocket") {
    const [client, server] = Object.values(new WebSocketPair());
    server.accept();
    server.addEventListener("message", ({ data }) => server.send("received " + data));
    return new Response(null, { status: 101, webSocket: client });
  }
  if (pathname === "/throw") throw new Error("inside");
  if (pathname === "/headers") return Response.json([...request.headers.keys()]);
  if (searchParams.has("asset")) return env.ASSETS.fetch(new URL(searchParams.get("asset"), "https://anything.example"));
  return new Response("worker " + request.method + " " + await request.text());
} };`;

let edge: TestEdge;
beforeAll(async () => {
  edge = await startTestEdge();
});
afterAll(() => edge.stop());

const put = (script: Partial<TestScript> & { name: string }) =>
  putScript(edge.store, { source, files, bindings: [{ type: "assets", name: "ASSETS" }], ...script });

/** Configurations by name of the script. */
const configs = {
  plain: {},
  first: { run_worker_first: true },
  rules: { run_worker_first: ["/*", "!/assets/*"], html_handling: "none", not_found_handling: "none" },
  api: { run_worker_first: ["/page*"] },
  none: { html_handling: "none" },
  slash: { html_handling: "force-trailing-slash" },
  lost: { not_found_handling: "404-page" },
  single: { not_found_handling: "single-page-application" },
  texts: {
    _headers: "/assets/*\n  Cache-Control: public, max-age=31536000, immutable\n  ! ETag\n",
    _redirects: "/old /page 301\n",
  },
} satisfies Record<string, AssetConfig>;

describe("the response of Worker or files", () => {
  beforeAll(() => {
    for (const [name, assetConfig] of Object.entries(configs)) {
      putRoute(edge.store, `${name}.tenantry.test/*`, name);
      put({ name, assetConfig });
    }
  });

  const navigation = { "sec-fetch-mode": "navigate" };
  const table: [keyof typeof configs, string, object, Record<string, string>?][] = [
    ["plain", "/", { status: 200, body: "home" }],
    ["plain", "/index.html", { status: 307, headers: { location: "/" } }],
    ["plain", "/about", { status: 307, headers: { location: "/about/" } }],
    ["plain", "/about/", { status: 200, body: "about" }],
    ["plain", "/page", { status: 200, body: "page" }],
    ["plain", "/nowhere", { status: 200, body: "worker GET " }],
    ["plain", "/assets/%C3%BCnter%20gras.bin", { status: 200, body: "odd" }],
    ["first", "/page", { body: "worker GET " }],
    ["first", "/assets/app.js", { body: "worker GET " }],
    ["first", "/?asset=/assets/app.js", { body: "app", headers: { "content-type": "text/javascript" } }],
    ["first", "/?asset=/nowhere", { status: 404, body: "" }],
    ["rules", "/", { body: "worker GET " }],
    ["rules", "/index.html", { body: "worker GET " }],
    ["rules", "/assets/app.js", { status: 200, body: "app" }],
    ["rules", "/assets/nowhere.js", { status: 404, body: "" }],
    ["rules", "/?asset=/index.html", { status: 200, body: "home" }],
    ["rules", "/?asset=/", { status: 404 }],
    ["api", "/page", { body: "worker GET " }],
    ["api", "/", { body: "home" }],
    ["none", "/page", { body: "worker GET " }],
    ["none", "/page.html", { body: "page" }],
    ["slash", "/page", { status: 307, headers: { location: "/page/" } }],
    ["slash", "/page/", { body: "page" }],
    ["lost", "/nowhere", { body: "worker GET " }],
    ["lost", "/nowhere", { status: 404, body: "lost" }, navigation],
    ["single", "/nowhere", { body: "worker GET " }],
    ["single", "/nowhere", { status: 200, body: "home" }, navigation],
    ["texts", "/old", { status: 301, headers: { location: "/page" } }],
    ["texts", "/assets/app.js", { headers: { "cache-control": "public, max-age=31536000, immutable" } }],
  ];
  test.each(table)("%s %s", async (name, path, expected, headers = {}) => {
    expect(await edge.ask(`${name}.tenantry.test${path}`, { headers })).toMatchObject(expected);
  });

  test("passes other methods to the Worker when no file matches", async () => {
    const posted = await edge.ask("plain.tenantry.test/nowhere", { method: "POST", body: "given" });
    expect(posted).toMatchObject({ status: 200, body: "worker POST given" });
    expect(await edge.ask("plain.tenantry.test/page", { method: "POST" })).toMatchObject({ status: 405 });
    expect(await edge.ask("plain.tenantry.test/page", { method: "HEAD" })).toMatchObject({ status: 200, body: "" });
  });

  test("serves files with the ETag of their content and revalidates by it", async () => {
    const { headers } = await edge.ask("plain.tenantry.test/assets/app.js");
    const hash = edge.store.writeBlob(Buffer.from("app")).slice(0, 32);
    expect(headers).toMatchObject({ etag: `"${hash}"`, "cache-control": "public, max-age=0, must-revalidate" });
    for (const etag of [`"${hash}"`, `W/"${hash}"`]) {
      const again = await edge.ask("plain.tenantry.test/assets/app.js", { headers: { "if-none-match": etag } });
      expect(again).toMatchObject({ status: 304, body: "" });
    }
    const other = await edge.ask("plain.tenantry.test/assets/app.js", { headers: { "if-none-match": '"other"' } });
    expect(other).toMatchObject({ status: 200, body: "app" });
    expect((await edge.ask("texts.tenantry.test/assets/app.js")).headers).not.toHaveProperty("etag");
  });

  test("serves files with their uploaded type or none", async () => {
    expect((await edge.ask("plain.tenantry.test/page")).headers["content-type"]).toBe(html);
    expect((await edge.ask("plain.tenantry.test/quoted.txt")).headers["content-type"]).toBe(files["/quoted.txt"].type);
    const odd = await edge.ask("plain.tenantry.test/assets/%C3%BCnter%20gras.bin");
    expect(odd.headers).not.toHaveProperty("content-type");
  });

  test("keeps exceptions, headers and WebSockets of the Worker", async () => {
    const thrown = await edge.ask("first.tenantry.test/throw", { headers: { accept: "application/json" } });
    expect(JSON.parse(thrown.body)).toMatchObject({ error_code: 1101 });
    expect((await edge.ask("first.tenantry.test/headers")).body).not.toContain("x-edge");
    const socket = await openSocket(edge.port, "rules.tenantry.test/live");
    expect(await exchange(socket, "hello")).toBe("received hello");
    socket.close();
  });
});

test("serves a changed file at once, and an unchanged one with the same ETag after a restart", async () => {
  putRoute(edge.store, "main.tenantry.test/*", "main");
  const app = (text: string) => ({ "/app.js": { text, type: "text/javascript" } });
  put({ name: "main", files: app("one") });
  const { headers } = await edge.ask("main.tenantry.test/app.js");
  put({ name: "main", files: app("two") });
  expect((await edge.ask("main.tenantry.test/app.js")).body).toBe("two");
  put({ name: "main", files: app("one") });
  await edge.restart();
  expect(await edge.ask("main.tenantry.test/app.js")).toMatchObject({ body: "one", headers: { etag: headers.etag } });
});

test("serves files of a script of a dispatch namespace", async () => {
  putRoute(edge.store, "*.tenantry.test/*", "dispatch");
  putScript(edge.store, dispatchScript);
  put({ name: "tenant", namespace: "tenants" });
  expect(await edge.ask("tenant.tenantry.test/page")).toMatchObject({ status: 200, body: "page" });
  expect(await edge.ask("tenant.tenantry.test/nowhere")).toMatchObject({ body: "worker GET " });
});

test("leaves no files in the temporary directory", async () => {
  const temporary = await mkdtemp(join(tmpdir(), "edge-test-"));
  vi.stubEnv("TMPDIR", temporary);
  put({ name: "main", assetConfig: { _headers: "/*\n  X-Frame-Options: DENY\n" } });
  expect((await edge.ask("main.tenantry.test/page")).headers["x-frame-options"]).toBe("DENY");
  expect((await readdir(temporary)).filter((name) => name.includes("assets"))).toEqual([]);
  vi.unstubAllEnvs();
  await rm(temporary, { recursive: true });
});
