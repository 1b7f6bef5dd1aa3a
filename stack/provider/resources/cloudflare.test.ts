import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiServer, account_id, startApiServer } from "@tenantry/edge/testing/api";
import { changed, type TestStack } from "@tenantry/plugin-host/testing/test-stack";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ContainerApplication } from "#components/resources/container-application.ts";
import { NamespacedScript } from "#components/resources/namespaced-script.ts";
import { TenantryProvider } from "#components/resources/tenantry-provider.ts";
import { apiStack } from "../testing/api-stack.ts";
import { NAMESPACE as namespace, SECRET, tenantProgram, type Wanted } from "../testing/tenant-program.ts";

const MAIN = 'export { Sandbox } from "./sandbox.js"; export default { fetch: () => new Response("hello") };';

let directory: string;
let bundle: string;
let api: ApiServer;
let stack: TestStack;
/** Changes of settings that changed the etag. Whether the vendor's do is unknown, so both cases must work. */
let etagsOfSettings = 0;
let settingsMakeEtags = false;

async function witness({ method, url }: Request, response: Response): Promise<Response | undefined> {
  const { pathname } = new URL(url);
  if (method === "PATCH" && pathname.endsWith("/settings") && settingsMakeEtags) etagsOfSettings += 1;
  if (!/\/scripts\/tenant-[a-z]+$/.test(pathname) || method === "DELETE" || etagsOfSettings === 0) return undefined;
  const another = (key: string, value: unknown) => (key === "etag" ? `${value}-${etagsOfSettings}` : value);
  return Response.json(JSON.parse(await response.text(), another), { status: response.status });
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "tenantry-scripts-"));
  bundle = join(directory, "bundle");
  await mkdir(bundle);
  await writeFile(join(bundle, "index.js"), MAIN);
  await writeFile(join(bundle, "sandbox.js"), "export class Sandbox {}");
  api = await startApiServer(witness);
  await api.cloudflare.workersForPlatforms.dispatch.namespaces.create({ account_id, name: namespace });
  stack = await apiStack(api);
  // A key of the same namespace, as in a stack of project `tenantry`, which the provider ignores.
  await stack.stack.setConfig("tenantry:clients", { value: '[{"slug":"acme"}]' });
}, 120_000);

beforeEach(() => api.succeeded.clear());

afterAll(async () => {
  await stack?.dispose();
  await api?.close();
  await rm(directory, { recursive: true, force: true });
});

const program = (wanted: Wanted = {}) => tenantProgram(bundle, wanted);

const record = (name = "tenant-acme") => api.store.get("script", `${namespace}/${name}`);
const applications = () => api.store.list("container_application");
/** Successful requests that changed something. */
const writes = () => [...api.succeeded].filter((call) => !call.startsWith("GET")).sort();

const failure = () =>
  stack.stack.up().then(
    () => "",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

// The life of one stack: each test continues after the previous one.
describe("a namespaced script and its containers through the engine", () => {
  const path = `/accounts/${account_id}/workers/dispatch/namespaces/${namespace}/scripts/tenant-acme`;

  test("the first run uploads, the second does nothing; secrets are encrypted in the state", async () => {
    stack.program(program());
    const first = await stack.stack.up();
    expect(changed(first)).toEqual({ create: 3 });
    expect((await stack.stack.outputs()).etag?.value).toBe(record()?.etag);
    expect(record()).toMatchObject({
      main_module: "index.js",
      compatibility_flags: ["nodejs_compat"],
      migration_tag: "v1",
      containers: [{ class_name: "Sandbox" }],
      tags: ["env:production", "plan:pro", "stack:providers-test/test"],
      limits: { cpu_ms: 50_000, subrequests: 50 },
    });
    expect(record()?.modules.map((module) => module.name)).toEqual(["index.js", "sandbox.js"]);
    expect(applications()).toMatchObject([
      {
        name: "tenant-acme",
        max_instances: 2,
        configuration: { image: "gateway:1", instance_type: "standard-2" },
        rollout_active_grace_period: 0,
      },
    ]);
    api.succeeded.clear();
    expect(changed(await stack.stack.up())).toEqual({ same: 3 });
    expect(changed(await stack.stack.refresh())).toEqual({ same: 3 });
    expect(writes()).toEqual([]);
    expect(await stack.state()).not.toContain(SECRET);
    expect(await stack.state()).not.toContain(api.apiToken);
  }, 120_000);

  test("another plan changes bindings, tags, limits and instance type, shows them, and uploads nothing", async () => {
    const { id } = applications()[0] ?? { id: "" };
    stack.program(program({ plan: "basic" }));
    const { stdout } = await stack.stack.preview({ diff: true });
    expect(stdout).toMatch(/~ SLEEP_AFTER_SECONDS: \{\s*~ text: "7200" => "1800"/);
    expect(stdout).not.toContain("[secret]");
    expect(changed(await stack.stack.up())).toEqual({ same: 1, update: 2 });
    expect(writes()).toEqual([
      `PATCH ${path}/settings`,
      `POST /accounts/${account_id}/containers/applications/${id}/rollouts`,
    ]);
    expect(record()).toMatchObject({
      tags: ["env:production", "plan:basic", "stack:providers-test/test"],
      limits: { cpu_ms: 30_000 },
      bindings: expect.arrayContaining([
        { type: "plain_text", name: "SLEEP_AFTER_SECONDS", text: "1800" },
        { type: "secret_text", name: "GATEWAY_TOKEN", text: SECRET },
      ]),
    });
    await expect.poll(() => applications()[0]?.configuration.instance_type, { timeout: 10_000 }).toBe("standard-1");
  }, 120_000);

  test.each([false, true])(
    "settings that change the etag (%s) are no drift",
    async (make) => {
      settingsMakeEtags = make;
      for (const plan of ["pro", "basic"]) {
        stack.program(program({ plan }));
        expect(changed(await stack.stack.up())).toEqual({ same: 1, update: 2 });
        expect(changed(await stack.stack.refresh())).toEqual({ same: 3 });
        expect(changed(await stack.stack.up())).toEqual({ same: 3 });
      }
      expect(writes()).not.toContain(`PUT ${path}`);
      settingsMakeEtags = false;
    },
    120_000,
  );

  test("a change of settings uploads when another upload came in between", async () => {
    const wanted = record();
    const form = new FormData();
    form.append("metadata", JSON.stringify({ main_module: "index.js", compatibility_date: "2026-11-01" }));
    form.append("index.js", new File(["export default {};"], "index.js", { type: "application/javascript+module" }));
    await api.cloudflare.put(path, { body: form, headers: { "Content-Type": null } });
    stack.program(program());
    await stack.stack.up();
    expect(record()).toMatchObject({ etag: wanted?.etag, tags: expect.arrayContaining(["plan:pro"]) });
    stack.program(program({ plan: "basic" }));
    await stack.stack.up();
    expect(record()).toMatchObject({ tags: wanted?.tags, bindings: wanted?.bindings });
  }, 120_000);

  test("a state from before secrets were separate needs no change and loses nothing", async () => {
    const { version, deployment } = await stack.stack.exportStack();
    const secret = "1b47061264138c4ac30d75fd1eb44270";
    const bindings = {
      "4dabf18193072939515e22adb298388d": secret,
      plaintext: JSON.stringify([
        { type: "durable_object_namespace", name: "Sandbox", className: "Sandbox" },
        { type: "analytics_engine", name: "ANALYTICS", dataset: "costs" },
        { type: "plain_text", name: "TENANT_SLUG", text: "acme" },
        { type: "plain_text", name: "SLEEP_AFTER_SECONDS", text: "1800" },
        { type: "secret_text", name: "GATEWAY_TOKEN", text: SECRET },
      ]),
    };
    const asBefore = ({ secrets: _, ...rest }: Record<string, unknown>) => ({ ...rest, bindings });
    const resources = deployment.resources.map((one: { type: string; inputs: object; outputs: object }) =>
      one.type.endsWith("NamespacedScript")
        ? { ...one, inputs: asBefore({ ...one.inputs }), outputs: asBefore({ ...one.outputs }) }
        : one,
    );
    const restore = () => stack.stack.importStack({ version, deployment: { ...deployment, resources } });
    const before = record()?.bindings;

    await restore();
    expect(changed(await stack.stack.up())).toEqual({ same: 3 });
    expect(changed(await stack.stack.refresh())).toEqual({ same: 3 });
    expect(await stack.state()).not.toContain(SECRET);
    await restore();
    await stack.stack.refresh();
    expect(await stack.state()).not.toContain(SECRET);
    expect(changed(await stack.stack.up())).toEqual({ same: 3 });
    expect(await stack.state()).not.toContain(SECRET);
    await restore();
    expect(writes()).toEqual([]);
    stack.program(program());
    expect(changed(await stack.stack.up())).toEqual({ same: 1, update: 2 });
    stack.program(program({ plan: "basic" }));
    await stack.stack.up();
    expect(writes()).not.toContain(`PUT ${path}`);
    expect(record()?.bindings).toEqual(before);
    expect(await stack.state()).not.toContain(SECRET);
  }, 120_000);

  test("new content is uploaded, its migration is not applied again; more containers need no rollout", async () => {
    await writeFile(join(bundle, "index.js"), `${MAIN} // two`);
    const before = record();
    stack.program(program({ plan: "basic", maxInstances: 3 }));
    const preview = await stack.stack.preview();
    expect(preview.changeSummary).toEqual({ same: 1, update: 2 });
    await stack.stack.up();
    expect(writes()).toEqual([
      `PATCH /accounts/${account_id}/containers/applications/${applications()[0]?.id}`,
      `PUT ${path}`,
    ]);
    expect(record()?.etag).not.toBe(before?.etag);
    expect((await stack.stack.outputs()).etag?.value).toContain(record()?.etag);
    expect(record()?.durable_objects).toEqual(before?.durable_objects);
  }, 120_000);

  test("refresh finds manual changes, and up reverts them", async () => {
    const scripts = api.cloudflare.workersForPlatforms.dispatch.namespaces.scripts;
    const address = { account_id, dispatch_namespace: namespace };
    const wanted = record();
    await scripts.tags.update("tenant-acme", { ...address, body: ["plan:enterprise"] });
    await scripts.secrets.delete("GATEWAY_TOKEN", { ...address, script_name: "tenant-acme" });
    await api.cloudflare.containers.applications.edit(applications()[0]?.id ?? "", { account_id, max_instances: 9 });
    expect(changed(await stack.stack.refresh())).toEqual({ same: 1, update: 2 });
    expect(changed(await stack.stack.up())).toEqual({ same: 1, update: 2 });
    expect(record()).toMatchObject({ tags: wanted?.tags, bindings: wanted?.bindings });
    expect(applications()).toMatchObject([{ max_instances: 3 }]);
    await scripts.delete("tenant-acme", { ...address, force: true });
    // Containers of a deleted script serve nothing, so they are deleted and created with it.
    expect(changed(await stack.stack.refresh())).toEqual({ same: 1, delete: 2 });
    expect(changed(await stack.stack.up())).toEqual({ same: 1, create: 2 });
    expect(record()).toMatchObject({ tags: wanted?.tags });
    const namespaceId = record()?.durable_objects[0]?.namespace_id;
    expect(applications()).toMatchObject([{ max_instances: 3, durable_objects: { namespace_id: namespaceId } }]);
  }, 120_000);

  test("resources of another stack are neither changed nor deleted, and adopted only if the run may take them over", async () => {
    const scripts = api.cloudflare.workersForPlatforms.dispatch.namespaces.scripts;
    const address = { account_id, dispatch_namespace: namespace };
    const tags = record()?.tags ?? [];
    const before = { etag: record()?.etag, applications: applications() };
    await scripts.tags.update("tenant-acme", { ...address, body: ["stack:other/prod"] });
    api.succeeded.clear();
    const refusal = "The script tenant-acme belongs to the stack other/prod. Choose another name, or remove it there.";
    const { version, deployment } = await stack.stack.exportStack();
    for (const wanted of [{ image: "gateway:2" }, { plan: "pro" }, { plan: "basic", secret: "another" }]) {
      stack.program(program({ maxInstances: 3, ...wanted }));
      expect(await failure()).toContain(refusal);
    }
    await expect(stack.stack.destroy()).rejects.toThrow(refusal);
    await stack.stack.importStack({ version, deployment: { ...deployment, resources: [] } });
    expect(await failure()).toContain(refusal);
    expect(writes()).toEqual([]);
    expect({ etag: record()?.etag, applications: applications() }).toEqual(before);

    stack.program(program({ plan: "basic", maxInstances: 3, takeOver: true }));
    expect(changed(await stack.stack.up())).toEqual({ same: 1, create: 2 });
    expect(record()?.tags).toEqual(tags);
    stack.program(program({ plan: "basic", maxInstances: 3 }));
    expect(changed(await stack.stack.up())).toEqual({ same: 3 });
  }, 120_000);

  test("a changed secret is written through the settings, and neither it nor the old one is shown", async () => {
    stack.program(program({ plan: "basic", maxInstances: 3, secret: `${SECRET}-too` }));
    const preview = await stack.stack.preview({ diff: true });
    expect(preview.stdout).toContain("[secret]");
    expect(preview.stdout).not.toContain(SECRET);
    const result = await stack.stack.up();
    expect(writes()).toEqual([`PATCH ${path}/settings`]);
    expect(record()?.bindings).toContainEqual({ type: "secret_text", name: "GATEWAY_TOKEN", text: `${SECRET}-too` });
    expect(result.stdout).not.toContain(SECRET);
    await stack.stack.refresh();
    expect(await stack.state()).not.toContain(SECRET);
  }, 120_000);

  test("a lost state creates nothing twice, by adoption or by import", async () => {
    const before = { script: record()?.tag, applications: applications().map(({ id }) => id) };
    const forget = async () => {
      const { version, deployment } = await stack.stack.exportStack();
      await stack.stack.importStack({ version, deployment: { ...deployment, resources: [] } });
    };
    await forget();
    stack.program(program());
    expect(changed(await stack.stack.up())).toEqual({ create: 3 });
    expect({ script: record()?.tag, applications: applications().map(({ id }) => id) }).toEqual(before);
    await expect.poll(() => applications()[0]?.configuration.instance_type, { timeout: 10_000 }).toBe("standard-2");

    const [application = ""] = before.applications;
    await forget();
    const id = `${account_id}/${namespace}/tenant-acme`;
    // Secrets and applied migrations cannot be read, so import leaves them to the next run.
    await stack.stack.import({
      resources: [
        { type: "tenantry:index:NamespacedScript", name: "acme", id },
        { type: "tenantry:index:ContainerApplication", name: "acme", id: `${account_id}/${application}` },
      ],
      generateCode: false,
      protect: false,
    });
    expect(writes()).not.toContain(`POST /accounts/${account_id}/containers/applications`);
    const result = await stack.stack.up();
    expect(changed(result)).not.toHaveProperty("replace");
    expect(applications().map((one) => one.id)).toEqual(before.applications);
  }, 120_000);

  test("a requested replacement, or another name in the program, preserves live resources", async () => {
    const before = { script: record()?.tag, applications: applications().map(({ id }) => id) };
    stack.program(program());
    await stack.stack.up({ replace: ["urn:pulumi:test::providers-test::tenantry:index:NamespacedScript::acme"] });
    expect(record()?.tag).toBe(before.script);
    stack.program(program({ resourceName: "renamed" }));
    expect(changed(await stack.stack.up())).toEqual({ same: 1, create: 2, delete: 2 });
    expect({ script: record()?.tag, applications: applications().map(({ id }) => id) }).toEqual(before);
  }, 120_000);

  test("another name replaces script and containers", async () => {
    stack.program(program({ scriptName: "tenant-globex" }));
    await stack.stack.up();
    expect(record()).toBeUndefined();
    expect(record("tenant-globex")).toBeDefined();
    expect(applications().map((one) => one.name)).toEqual(["tenant-globex"]);
  }, 120_000);

  test("each error is one sentence that says what to do", async () => {
    const provider = () => new TenantryProvider("wrong", { apiToken: "nonsense", baseUrl: api.url });
    stack.program(program({ scriptName: "tenant-other", provider }));
    expect(await failure()).toMatch(/error: Cloudflare refused: .*\(code \d+\)/);
    stack.program(program({ scriptName: "tenant-other", provider: () => new TenantryProvider("none") }));
    expect(await failure()).toContain("No Cloudflare API token: set CLOUDFLARE_API_TOKEN");
    stack.program(program({ maxInstances: 1 }));
    expect(await failure()).toContain("must be at least 2: an old and a new container may overlap");
    stack.program(async () => {
      const script = {
        accountId: account_id,
        namespace,
        scriptName: "x",
        path: bundle,
        compatibilityDate: "2026-11-01",
      };
      const bindings = JSON.parse('{ "TOKEN": { "type": "secret_text", "text": "seen" } }');
      new NamespacedScript("x", { ...script, bindings });
    });
    expect(await failure()).toContain("is for secrets: use `secrets`");
    stack.program(async () => {
      const application = { accountId: account_id, name: "x", dispatchNamespace: namespace, scriptName: "nowhere" };
      new ContainerApplication("x", { ...application, className: "Sandbox", image: "i" });
    });
    expect(await failure()).toContain("The script nowhere of tenants has no Durable Object class 'Sandbox'");
  }, 120_000);

  test("destroy leaves nothing", async () => {
    stack.program(program({ scriptName: "tenant-globex" }));
    await stack.stack.up();
    await stack.stack.destroy();
    expect(api.store.list("script")).toEqual([]);
    expect(applications()).toEqual([]);
  }, 120_000);
});
