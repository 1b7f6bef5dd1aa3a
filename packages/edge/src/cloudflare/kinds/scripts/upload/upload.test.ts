import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type ApiServer,
  account_id,
  moduleFile,
  startApiServer,
  uploadScript,
} from "#cloudflare/api/testing/api-server.ts";
import { refusal } from "#cloudflare/api/testing/refusal.ts";

const tenants = { account_id, dispatch_namespace: "tenants" };

let server: ApiServer;
beforeEach(async () => {
  server = await startApiServer();
  await server.cloudflare.workersForPlatforms.dispatch.namespaces.create({ account_id, name: "tenants" });
});
afterEach(() => server.close());

function given<T>(record: T | undefined): T {
  if (record === undefined) throw new Error("the store holds no such record");
  return record;
}

function upload(metadata: object, modules: Record<string, File>, path = "dispatch/namespaces/tenants/scripts/tenant") {
  const form = new FormData();
  form.append("metadata", JSON.stringify(metadata));
  for (const [name, file] of Object.entries(modules)) form.append(name, file);
  return server.cloudflare.put(`/accounts/${account_id}/workers/${path}`, {
    body: form,
    headers: { "Content-Type": null },
  });
}

async function contentOf(name: string): Promise<Record<string, string>> {
  const response = await server.cloudflare.workersForPlatforms.dispatch.namespaces.scripts.content.get(name, tenants);
  const form = await response.formData();
  const parts = [...form.entries()].map(async ([part, file]) => [
    part,
    typeof file === "string" ? file : await file.text(),
  ]);
  return Object.fromEntries(await Promise.all(parts));
}

const index = () => moduleFile("export default {};");

test("both formats of a multipart body store the same script", async () => {
  const { scripts } = server.cloudflare.workersForPlatforms.dispatch.namespaces;
  const metadata = {
    main_module: "index.js",
    compatibility_date: "2026-01-01",
    compatibility_flags: ["nodejs_compat"],
    bindings: [
      { type: "plain_text" as const, name: "SLUG", text: "acme" },
      { type: "plain_text" as const, name: "NUMBER", text: "7" },
      { type: "durable_object_namespace" as const, name: "Sandbox", class_name: "Sandbox" },
    ],
    tags: ["customer_id:1", "plan:pro"],
    limits: { cpu_ms: 50, subrequests: 100 },
    migrations: { new_tag: "v1", steps: [{ new_sqlite_classes: ["Sandbox", "Supervisor"] }] },
    ...{ containers: [{ class_name: "Sandbox" }] },
  };
  const helper = await moduleFile("export const x = 1;", "helper.js");
  await scripts.update("flattened", { ...tenants, metadata, files: [await index(), helper] });
  await upload(
    metadata,
    { "index.js": await index(), "helper.js": helper },
    "dispatch/namespaces/tenants/scripts/clean",
  );

  const [flattened, clean] = ["flattened", "clean"].map((name) => {
    const { bindings, durable_objects, modules, etag, ...rest } = given(server.store.get("script", `tenants/${name}`));
    const { compatibility_date, compatibility_flags, containers, limits, main_module, migration_tag, tags } = rest;
    const classes = durable_objects.map(({ class_name, sqlite }) => ({ class_name, sqlite }));
    const settings = { compatibility_date, compatibility_flags, containers, limits, migration_tag, tags };
    return { bindings, classes, modules, etag, main_module, ...settings };
  });
  expect(flattened).toEqual(clean);
  expect(clean).toMatchObject({
    limits: { cpu_ms: 50, subrequests: 100 },
    migration_tag: "v1",
    main_module: "index.js",
  });
  expect(await contentOf("flattened")).toEqual({
    "index.js": "export default {};",
    "helper.js": "export const x = 1;",
  });
  expect(await contentOf("clean")).toEqual(await contentOf("flattened"));
});

test("an upload replaces bindings, except for kept and inherited ones", async () => {
  const bindings = [
    { type: "secret_text", name: "TOKEN", text: "hidden" },
    { type: "plain_text", name: "SLUG", text: "acme" },
    { type: "plain_text", name: "OLD", text: "old" },
  ];
  await upload({ main_module: "index.js", bindings }, { "index.js": await index() });
  const next = { keep_bindings: ["secret_text"], bindings: [{ type: "inherit", name: "NAME", old_name: "SLUG" }] };
  await upload({ main_module: "index.js", ...next }, { "index.js": await index() });
  expect(server.store.get("script", "tenants/tenant")?.bindings).toEqual([
    { type: "plain_text", name: "NAME", text: "acme" },
    { type: "secret_text", name: "TOKEN", text: "hidden" },
  ]);
  await upload({ main_module: "index.js" }, { "index.js": await index() });
  expect(server.store.get("script", "tenants/tenant")?.bindings).toEqual([]);
});

test("content and settings are changed separately", async () => {
  await upload({ main_module: "index.js", tags: ["a:1"] }, { "index.js": await index() });
  const before = server.store.get("script", "tenants/tenant");
  const form = new FormData();
  form.append("metadata", JSON.stringify({ main_module: "other.js" }));
  form.append("other.js", await moduleFile("export default { other: true };", "other.js"));
  const path = `/accounts/${account_id}/workers/dispatch/namespaces/tenants/scripts/tenant/content`;
  await server.cloudflare.put(path, { body: form, headers: { "Content-Type": null } });
  const after = server.store.get("script", "tenants/tenant");
  expect(after).toMatchObject({ main_module: "other.js", tags: ["a:1"], created_on: before?.created_on });
  expect(after?.etag).not.toBe(before?.etag);
  expect(await contentOf("tenant")).toEqual({ "other.js": "export default { other: true };" });

  const { scripts } = server.cloudflare.workersForPlatforms.dispatch.namespaces;
  const settings = { tags: ["b:2"], limits: { cpu_ms: 10 }, logpush: true };
  const answer = await scripts.settings.edit("tenant", { ...tenants, settings });
  expect(answer).toMatchObject(settings);
  expect(server.store.get("script", "tenants/tenant")?.etag).toBe(after?.etag);
});

test("a script of the account has versions, a deployment, a subdomain and script settings", async () => {
  const { scripts } = server.cloudflare.workers;
  await uploadScript(server.cloudflare, "app");
  await uploadScript(server.cloudflare, "app");
  const [version] = (await scripts.versions.list("app", { account_id })).result.items ?? [];
  expect(version).toMatchObject({ number: 2 });
  const { deployments } = await scripts.deployments
    .list("app", { account_id })
    .then((page) => page.result as object & { deployments: unknown[] });
  expect(deployments).toMatchObject([{ versions: [{ version_id: version?.id, percentage: 100 }] }]);
  expect(await scripts.subdomain.get("app", { account_id })).toEqual({ enabled: false, previews_enabled: false });
  await scripts.subdomain.create("app", { account_id, enabled: true });
  expect(await scripts.subdomain.get("app", { account_id })).toEqual({ enabled: true, previews_enabled: true });
  await scripts.subdomain.delete("app", { account_id });
  expect(await scripts.subdomain.get("app", { account_id })).toEqual({ enabled: false, previews_enabled: false });
  await scripts.settings.edit("app", { account_id, logpush: true });
  expect(await scripts.settings.get("app", { account_id })).toMatchObject({ logpush: true, tags: [] });
  expect(await (await scripts.content.get("app", { account_id })).text()).toContain("export default {};");
});

describe("an invalid upload changes nothing", () => {
  const javascript = "application/javascript+module";
  const file = (name: string, type = javascript) => ({ [name]: new File(["export default {};"], name, { type }) });
  const binding = (fields: object) => ({ main_module: "index.js", bindings: [{ name: "B", ...fields }] });
  const refused: [string, object, Record<string, File>, number][] = [
    ["no main module", {}, file("index.js"), 10021],
    ["a missing main module", { main_module: "index.js" }, file("other.js"), 10021],
    ["service-worker syntax", { body_part: "script" }, file("script", "application/javascript"), 10021],
    ["a module of unknown type", { main_module: "index.js" }, file("index.js", "image/png"), 10021],
    ["an unknown kind of binding", binding({ type: "d1", id: "x" }), file("index.js"), 10021],
    ["a binding without a type", binding({}), file("index.js"), 10052],
    ["a binding without a field it needs", binding({ type: "plain_text" }), file("index.js"), 10021],
    ["an unknown key-value namespace", binding({ type: "kv_namespace", namespace_id: "x" }), file("index.js"), 10041],
    ["an unknown bucket", binding({ type: "r2_bucket", bucket_name: "none" }), file("index.js"), 10085],
    ["an unknown queue", binding({ type: "queue", queue_name: "none" }), file("index.js"), 11000],
    ["an unknown Hyperdrive", binding({ type: "hyperdrive", id: "x" }), file("index.js"), 10021],
    ["an unknown namespace", binding({ type: "dispatch_namespace", namespace: "x" }), file("index.js"), 100119],
    ["an unknown service", binding({ type: "service", service: "none" }), file("index.js"), 10143],
    [
      "a class that no migration made",
      binding({ type: "durable_object_namespace", class_name: "Sandbox" }),
      file("index.js"),
      10061,
    ],
    ["inheriting an unknown binding", binding({ type: "inherit" }), file("index.js"), 10057],
    [
      "a container class that is no Durable Object",
      { main_module: "index.js", containers: [{ class_name: "Sandbox" }] },
      file("index.js"),
      10021,
    ],
    ["an invalid date", { main_module: "index.js", compatibility_date: "soon" }, file("index.js"), 10021],
    ["assets that were not uploaded", { main_module: "index.js", assets: { jwt: "x" } }, file("index.js"), 10021],
    ["assets alone", { assets: { jwt: "x" } }, {}, 10021],
    [
      "rules for assets that are none",
      { main_module: "index.js", assets: { config: { run_worker_first: [] } } },
      file("index.js"),
      10021,
    ],
  ];
  test.each(refused)("%s", async (_what, metadata, modules, code) => {
    expect(await refusal(upload(metadata, modules))).toMatchObject({ status: 400, codes: [code] });
    expect(server.store.list("script")).toEqual([]);
  });

  test("a body that is not a form", async () => {
    const put = server.cloudflare.put(`/accounts/${account_id}/workers/scripts/app`, { body: { metadata: {} } });
    expect(await refusal(put)).toMatchObject({ status: 400, codes: [10001] });
  });

  test("a namespace that does not exist", async () => {
    const put = upload({ main_module: "index.js" }, file("index.js"), "dispatch/namespaces/none/scripts/tenant");
    expect(await refusal(put)).toMatchObject({ status: 404, codes: [100119] });
  });
});

describe("code is parsed at the upload", () => {
  const send = async (modules: Record<string, string>) => {
    const files = Object.entries(modules).map(async ([name, code]) => [name, await moduleFile(code, name)] as const);
    return upload({ main_module: "index.js" }, Object.fromEntries(await Promise.all(files)));
  };

  test.each([
    [
      "a module that does not parse",
      { "index.js": "export default {" },
      "Uncaught SyntaxError: Unexpected end of input",
    ],
    [
      "another module that V8 refuses",
      { "index.js": 'import "./lib/a.js"; export default {};', "lib/a.js": "let a; let a;" },
      "Uncaught SyntaxError: Identifier 'a' has already been declared",
    ],
    [
      "an import that does not exist",
      { "index.js": 'import "./a.js"; export default {};' },
      'No such module "./a.js".',
    ],
  ])("%s is refused, and nothing is stored", async (_what, modules, text) => {
    const { status, codes, message } = await refusal(send(modules));
    expect({ status, codes, message }).toEqual({ status: 400, codes: [10021], message: expect.stringContaining(text) });
    expect(server.store.list("script")).toEqual([]);
  });

  test("imports of the runtime and of neighbours are accepted, and nothing runs", async () => {
    const imports = 'import { env } from "cloudflare:workers"; import "node:buffer"; import "./b.js";';
    await send({
      "index.js": 'import "./lib/a.js"; export default {}; throw new Error("it runs");',
      "lib/a.js": imports,
      "lib/b.js": "",
    });
    expect(server.store.list("script")).toHaveLength(1);
  });
});

test("a version runs after its deployment, with all of its settings", async () => {
  const { deployments, versions } = server.cloudflare.workers.scripts;
  await uploadScript(server.cloudflare, "app");
  const live = server.store.get("script", "app");
  const files = [await moduleFile("export default { fetch() {} };")];
  const { id = "", resources } = await versions.create("app", {
    account_id,
    metadata: { main_module: "index.js" },
    files,
  });
  expect(server.store.get("script", "app")).toMatchObject({ etag: live?.etag, version_id: live?.version_id });
  const deploy = (version_id: string, percentage: number) =>
    deployments.create("app", { account_id, strategy: "percentage", versions: [{ version_id, percentage }] });
  expect(await refusal(deploy(id, 50))).toMatchObject({ status: 400 });
  expect(await refusal(deploy("unknown", 100))).toMatchObject({ status: 404 });
  await deploy(id, 100);
  expect(server.store.get("script", "app")).toMatchObject({ etag: resources.script?.etag, version_id: id });
  const { result } = await deployments.list("app", { account_id });
  expect(result).toMatchObject({ deployments: [{ versions: [{ version_id: id }] }] });
});
