/** The vendor's SDK does not declare every field of the local edge's responses; nothing may depend on an undeclared one. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiServer, account_id, startApiServer } from "@tenantry/edge/testing/api";
import { changed, type TestStack } from "@tenantry/plugin-host/testing/test-stack";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ContainerApplication } from "#components/resources/container-application.ts";
import { NamespacedScript } from "#components/resources/namespaced-script.ts";
import { apiStack } from "../testing/api-stack.ts";

const namespace = "tenants";
const slugs = ["acme", "globex", "hooli"];
/** The first page of all Durable Object namespaces. */
const listing = `GET /client/v4/accounts/${account_id}/workers/durable_objects/namespaces?per_page=100`;
/** Fields that the SDK does not declare, by what the path ends in. */
const undeclared: Readonly<Record<string, readonly string[]>> = {
  "/durable_objects/namespaces": ["dispatch_namespace"],
  "/settings": ["migration_tag", "containers"],
};

let directory: string;
let api: ApiServer;
let stack: TestStack;
let calls: string[];

async function declaredOnly(request: Request, response: Response): Promise<Response | undefined> {
  const { pathname, search } = new URL(request.url);
  calls.push(`${request.method} ${pathname}${search}`);
  const fields = Object.entries(undeclared).find(([end]) => pathname.endsWith(end))?.[1];
  if (fields === undefined || request.method !== "GET") return undefined;
  const text = await response.text();
  const body = JSON.parse(text, (key, value: unknown) => (fields.includes(key) ? undefined : value));
  return Response.json(body, { status: response.status });
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "tenantry-declared-"));
  calls = [];
  api = await startApiServer(declaredOnly);
  const { namespaces } = api.cloudflare.workersForPlatforms.dispatch;
  await namespaces.create({ account_id, name: "others" });
  await namespaces.create({ account_id, name: namespace });
  stack = await apiStack(api);
}, 120_000);

beforeEach(() => {
  calls = [];
});

afterAll(async () => {
  await stack?.dispose();
  await api?.close();
  await rm(directory, { recursive: true, force: true });
});

const scripts = () => api.store.list("script");
const applications = () => api.store.list("container_application");

async function run(source: string) {
  await writeFile(join(directory, "index.js"), source);
  stack.program(async () => {
    for (const slug of slugs) {
      const script = new NamespacedScript(slug, {
        accountId: account_id,
        namespace,
        scriptName: `tenant-${slug}`,
        path: directory,
        compatibilityDate: "2026-11-01",
        bindings: { Sandbox: { type: "durable_object_namespace", className: "Sandbox" } },
        migrations: { newTag: "v1", newSqliteClasses: ["Sandbox"] },
        containers: [{ className: "Sandbox" }],
      });
      new ContainerApplication(slug, {
        accountId: account_id,
        name: `tenant-${slug}`,
        dispatchNamespace: script.namespace,
        scriptName: script.scriptName,
        className: "Sandbox",
        image: "gateway:1",
      });
    }
  });
  return changed(await stack.stack.up());
}

// The lifecycle of one stack: each test continues from the previous one.
describe("an API that answers declared fields only", () => {
  const source = "export class Sandbox {} export default {};";

  test("takes a first deployment and, without the migration, a second upload", async () => {
    expect(await run(source)).toEqual({ create: 7 });
    expect(new Set(applications().map((one) => one.durable_objects.namespace_id))).toEqual(
      new Set(scripts().map((script) => script.durable_objects[0]?.namespace_id)),
    );
    const [first] = scripts();
    expect(await run(`${source} // two`)).toEqual({ same: 4, update: 3 });
    expect(scripts()[0]?.etag).not.toBe(first?.etag);
    expect(scripts()[0]?.durable_objects).toEqual(first?.durable_objects);
  }, 120_000);

  test("shows no drift in a refresh when there is none", async () => {
    expect(changed(await stack.stack.refresh())).toEqual({ same: 7 });
    expect(await run(`${source} // two`)).toEqual({ same: 7 });
  }, 120_000);

  test("shows deleted scripts in a refresh, which lists namespaces once", async () => {
    for (const { name } of scripts().slice(0, 2)) {
      await api.cloudflare.workersForPlatforms.dispatch.namespaces.scripts.delete(name, {
        account_id,
        dispatch_namespace: namespace,
        force: true,
      });
    }
    expect(changed(await stack.stack.refresh())).toEqual({ same: 3, delete: 4 });
    expect(calls.filter((call) => call === listing)).toHaveLength(1);
    expect(await run(`${source} // two`)).toEqual({ same: 3, create: 4 });
    expect(applications()).toHaveLength(slugs.length);
  }, 120_000);

  test("finds the script of imported containers", async () => {
    const { version, deployment } = await stack.stack.exportStack();
    await stack.stack.importStack({ version, deployment: { ...deployment, resources: [] } });
    const before = applications().map(({ id }) => id);
    await stack.stack.import({
      resources: before.map((id, n) => ({
        type: "tenantry:index:ContainerApplication",
        name: `imported-${n}`,
        id: `${account_id}/${id}`,
      })),
      generateCode: false,
      protect: false,
    });
    expect(await stack.state()).toContain(`"dispatchNamespace":"${namespace}"`);
    expect(calls.filter((call) => call === listing)).toHaveLength(1);
  }, 120_000);
});
