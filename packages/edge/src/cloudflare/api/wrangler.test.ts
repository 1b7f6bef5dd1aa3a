import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readManifest } from "../kinds/assets/manifest.ts";
import { type ApiServer, account_id, domain, startApiServer } from "./testing/api-server.ts";

const wrangler = join(import.meta.dirname, "../../../../../node_modules/wrangler/bin/wrangler.js");

let server: ApiServer;
let directory: string;

beforeAll(async () => {
  server = await startApiServer();
  await server.cloudflare.workersForPlatforms.dispatch.namespaces.create({ account_id, name: "tenants" });
  directory = await mkdtemp(join(tmpdir(), "wrangler-client-"));
  await writeFile(join(directory, "index.js"), 'export default { fetch: () => new Response("hello") };');
  await writeFile(join(directory, "tenant.js"), "export class Sandbox {} export default {};");
});
afterAll(async () => {
  await server?.close();
  await rm(directory, { recursive: true, force: true });
});

/** Runs wrangler with `config` and returns its output. @throws Error when it fails */
async function run(command: string, config: object): Promise<string> {
  await writeFile(join(directory, "wrangler.json"), JSON.stringify({ compatibility_date: "2026-01-01", ...config }));
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [wrangler, ...command.split(" ")], {
    cwd: directory,
    env: {
      PATH: process.env.PATH,
      HOME: directory,
      CLOUDFLARE_API_BASE_URL: server.url,
      CLOUDFLARE_API_TOKEN: server.apiToken,
      CLOUDFLARE_ACCOUNT_ID: account_id,
      WRANGLER_SEND_METRICS: "false",
      WRANGLER_SEND_ERROR_REPORTS: "false",
      WRANGLER_HIDE_BANNER: "true",
      WRANGLER_WRITE_LOGS: "false",
      CI: "true",
      NO_COLOR: "1",
    },
  });
  return stdout + stderr;
}

const unsupported = () => server.logged.filter(({ event }) => event === "unsupported" || event === "fault");

test("whoami prints the account", async () => {
  expect(await run("whoami", { name: "app" })).toContain(account_id);
  expect(unsupported()).toEqual([]);
}, 120_000);

test("deploys a Worker with routes, and again with other routes", async () => {
  const config = (host: string) => {
    const routes = [`${host}.${domain}/*`, `shared.${domain}/*`].map((pattern) => ({ pattern, zone_name: domain }));
    return { name: "app", main: "index.js", routes };
  };
  const version = () => `Current Version ID: ${server.store.get("script", "app")?.version_id}`;
  expect(await run("deploy", config("app"))).toContain(version());
  const first = version();
  const shared = server.store.list("route").at(-1);
  const again = await run("deploy", config("moved"));
  expect(again).toContain(version());
  expect(again).not.toContain("via the script API");
  expect(version()).not.toBe(first);
  const routes = server.store.list("route");
  expect(routes.map((route) => route.pattern).toSorted()).toEqual([`moved.${domain}/*`, `shared.${domain}/*`]);
  expect(routes).toContainEqual(shared);
  expect(unsupported()).toEqual([]);
}, 120_000);

test("deploys assets with their rules, and uploads each file once", async () => {
  const pages = join(directory, "public");
  const files = { "index.html": "home", "assets/app.js": "app", "assets/odd": "odd", _headers: "/*\n  X-A: b\n" };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(pages, name)), { recursive: true });
    await writeFile(join(pages, name), text);
  }
  const config = {
    name: "site",
    main: "index.js",
    routes: [{ pattern: `site.${domain}/*`, zone_name: domain }],
    assets: { directory: "public", binding: "ASSETS", run_worker_first: ["/*", "!/assets/*"], html_handling: "none" },
  };
  expect(await run("deploy", config)).toContain("Uploaded 3 of 3 assets");
  const served = () => {
    const assets = server.store.get("script", "site")?.assets;
    if (assets === undefined) throw new Error("the script has no files");
    const stored = Object.entries(readManifest(server.store, assets));
    const text = (sha256: string) => server.store.readBlob(sha256).toString("utf8");
    return Object.fromEntries(stored.map(([path, { sha256, type }]) => [path, [text(sha256), type]]));
  };
  expect(served()).toEqual({
    "/index.html": ["home", "text/html; charset=utf-8"],
    "/assets/app.js": ["app", "text/javascript; charset=utf-8"],
    "/assets/odd": ["odd", null],
  });
  expect(server.store.get("script", "site")).toMatchObject({
    bindings: [{ type: "assets", name: "ASSETS" }],
    assets: {
      config: { html_handling: "none", run_worker_first: ["/*", "!/assets/*"], _headers: files._headers },
    },
  });
  await writeFile(join(pages, "assets/app.js"), "changed");
  expect(await run("deploy", config)).toContain("Uploaded 1 of 1 asset");
  expect(served()).toMatchObject({ "/assets/app.js": ["changed", "text/javascript; charset=utf-8"] });
  expect(await run("deploy", config)).toContain("No updated asset files to upload");
  expect(await run("deploy --dispatch-namespace tenants", { ...config, routes: [] })).toContain(
    "Uploaded 3 of 3 assets",
  );
  expect(server.store.get("script", "tenants/site")?.assets).toEqual(server.store.get("script", "site")?.assets);
  expect(unsupported()).toEqual([]);
}, 240_000);

test("deploys a script of a dispatch namespace with a migration, and again without it", async () => {
  const config = {
    name: "tenant-acme",
    main: "tenant.js",
    durable_objects: { bindings: [{ name: "SANDBOX", class_name: "Sandbox" }] },
    migrations: [{ tag: "v1", new_sqlite_classes: ["Sandbox"] }],
  };
  const printed = await run("deploy --dispatch-namespace tenants", config);
  const before = server.store.get("script", "tenants/tenant-acme");
  expect(printed).toContain(`Current Version ID: ${before?.version_id}`);
  expect(before).toMatchObject({ migration_tag: "v1" });
  await run("deploy --dispatch-namespace tenants", config);
  const after = server.store.get("script", "tenants/tenant-acme");
  expect(after?.durable_objects).toEqual(before?.durable_objects);
  expect(after?.version_id).not.toBe(before?.version_id);
  expect(unsupported()).toEqual([]);
}, 120_000);
