/** wrangler, the vendor's command line, as a client of the API. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiServer, account_id, domain, startApiServer } from "./testing/api-server.ts";

const wrangler = join(import.meta.dirname, "../../../node_modules/wrangler/bin/wrangler.js");

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

/** Runs wrangler with `config`, and gives back what it printed. @throws Error when it failed */
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

test("whoami tells the account", async () => {
  expect(await run("whoami", { name: "app" })).toContain(account_id);
  expect(unsupported()).toEqual([]);
}, 120_000);

test("a plain Worker is deployed with its routes, and again with other ones", async () => {
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

test("a script of a dispatch namespace is deployed with a migration, and again without it", async () => {
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
