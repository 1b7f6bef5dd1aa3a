/** Calls of the operations that the cases of the kinds do not come to. */
import type Cloudflare from "cloudflare";
import { type ApiServer, account_id, moduleFile, uploadScript } from "./api-server.ts";
import { given, withNamespace, withScript } from "./case.ts";

const tenants = { account_id, dispatch_namespace: "tenants" };
const namespacePath = `/accounts/${account_id}/workers/dispatch/namespaces/tenants/scripts`;

async function tokens({ cloudflare }: ApiServer): Promise<void> {
  await cloudflare.user.tokens.verify();
  await cloudflare.accounts.tokens.verify({ account_id });
  await cloudflare.accounts.tokens.permissionGroups.list({ account_id });
}

async function scriptOfTheAccount(server: ApiServer): Promise<void> {
  await withScript(server);
  const { scripts } = server.cloudflare.workers;
  const metadata = { main_module: "index.js" };
  await scripts.get("app", { account_id });
  await scripts.content.update("app", { account_id, metadata, files: [await moduleFile("export default {};")] });
  await scripts.content.get("app", { account_id });
  await scripts.settings.edit("app", { account_id, logpush: true });
  await scripts.settings.get("app", { account_id });
  await scripts.subdomain.create("app", { account_id, enabled: true });
  await scripts.subdomain.get("app", { account_id });
  await scripts.subdomain.delete("app", { account_id });
  const files = [await moduleFile("export default {};")];
  const version_id = given((await scripts.versions.create("app", { account_id, metadata, files })).id);
  await scripts.versions.list("app", { account_id });
  const versions = [{ version_id, percentage: 100 }];
  await scripts.deployments.create("app", { account_id, strategy: "percentage", versions });
  await scripts.deployments.list("app", { account_id });
  const secret = { name: "TOKEN", text: "hidden", type: "secret_text" as const };
  await scripts.secrets.bulkUpdate("app", { account_id, secrets: { TOKEN: secret } });
}

/** A binding of each kind that the edge knows, to things that are made for it. */
async function everyBinding(cloudflare: Cloudflare) {
  const namespace_id = (await cloudflare.kv.namespaces.create({ account_id, title: "index" })).id;
  await cloudflare.r2.buckets.create({ account_id, name: "backup" });
  await cloudflare.queues.create({ account_id, queue_name: "fanout" });
  const origin = { scheme: "postgres" as const, host: "127.0.0.1", port: 5432, database: "d", user: "u" };
  const { id } = await cloudflare.hyperdrive.configs.create({
    account_id,
    name: "database",
    origin: { ...origin, password: "hidden" },
  });
  await uploadScript(cloudflare, "other");
  return [
    { type: "plain_text", name: "TEXT", text: "t" },
    { type: "secret_text", name: "SECRET", text: "hidden" },
    { type: "json", name: "JSON", json: { a: [1] } },
    { type: "kv_namespace", name: "KV", namespace_id },
    { type: "r2_bucket", name: "BUCKET", bucket_name: "backup" },
    { type: "queue", name: "QUEUE", queue_name: "fanout" },
    { type: "hyperdrive", name: "DATABASE", id },
    { type: "dispatch_namespace", name: "DISPATCHER", namespace: "tenants" },
    { type: "service", name: "OTHER", service: "other" },
    { type: "analytics_engine", name: "ANALYTICS", dataset: "costs" },
    { type: "browser", name: "BROWSER" },
    { type: "durable_object_namespace", name: "SANDBOX", class_name: "Sandbox" },
  ] as const;
}

async function scriptOfANamespace(server: ApiServer): Promise<void> {
  await withNamespace(server);
  const { cloudflare } = server;
  const { scripts } = cloudflare.workersForPlatforms.dispatch.namespaces;
  const files = [await moduleFile("export class Sandbox {} export default {};")];
  const metadata = {
    main_module: "index.js",
    compatibility_date: "2026-01-01",
    compatibility_flags: ["nodejs_compat"],
    bindings: [...(await everyBinding(cloudflare))],
    migrations: { new_tag: "v1", steps: [{ new_sqlite_classes: ["Sandbox"] }] },
    containers: [{ class_name: "Sandbox" }],
    limits: { cpu_ms: 50, subrequests: 50 },
    tags: ["plan:pro"],
  };
  // As the provider uploads.
  const form = new FormData();
  form.append("metadata", JSON.stringify(metadata));
  for (const file of files) form.append("index.js", file as File, "index.js");
  await cloudflare.put(`${namespacePath}/tenant`, { body: form, headers: { "Content-Type": null } });
  await scripts.get("tenant", tenants);
  await scripts.content.update("tenant", { ...tenants, metadata: { main_module: "index.js" }, files });
  await scripts.content.get("tenant", tenants);
  await scripts.settings.edit("tenant", { ...tenants, settings: { tags: ["env:dev"] } });
  // As the provider changes bindings, its secrets among them.
  const settings = { tags: ["env:dev"], limits: { cpu_ms: 50, subrequests: 50 }, bindings: metadata.bindings };
  const change = new FormData();
  change.append("settings", new Blob([JSON.stringify(settings)], { type: "application/json" }));
  await cloudflare.patch(`${namespacePath}/tenant/settings`, { body: change, headers: { "Content-Type": null } });
  await scripts.settings.get("tenant", tenants);
  await scripts.bindings.get("tenant", tenants);
  await cloudflare.put(`${namespacePath}/tenant/tags/plan:pro`);
  await scripts.tags.delete("plan:pro", { ...tenants, script_name: "tenant" });
  const secret = { name: "TOKEN", text: "hidden", type: "secret_text" as const };
  await scripts.secrets.bulkUpdate("tenant", { ...tenants, secrets: { TOKEN: secret } });

  const { applications } = cloudflare.containers;
  const namespaces = await cloudflare.durableObjects.namespaces.list({ account_id });
  const { id } = await applications.create({
    account_id,
    name: "box",
    scheduling_policy: "default",
    instances: 0,
    max_instances: 2,
    configuration: { image: "gateway:1" },
    durable_objects: { namespace_id: given(namespaces.result[0]?.id) },
    constraints: {},
    rollout_active_grace_period: 0,
  });
  const rollout = await applications.rollouts.create(id, {
    account_id,
    description: "a newer gateway",
    strategy: "rolling",
    kind: "full_auto",
    step_percentage: 100,
    target_configuration: { image: "gateway:2" },
  });
  const path = `/accounts/${account_id}/containers/applications/${id}/rollouts`;
  await cloudflare.get(path);
  await cloudflare.get(`${path}/${rollout.id}`);
}

async function values({ cloudflare }: ApiServer): Promise<void> {
  const { namespaces } = cloudflare.kv;
  const { id: namespace_id } = await namespaces.create({ account_id, title: "index" });
  const entry = { account_id, namespace_id, value: "v", expiration_ttl: 60, metadata: { plan: "pro" } };
  await namespaces.values.update("a", entry);
  await namespaces.metadata.get("a", { account_id, namespace_id });
  await namespaces.keys.list(namespace_id, { account_id, prefix: "a", limit: 10 });
  await namespaces.bulkUpdate(namespace_id, { account_id, body: [{ key: "b", value: "1" }] });
  await namespaces.bulkDelete(namespace_id, { account_id, body: ["b"] });
  await cloudflare.delete(`/accounts/${account_id}/storage/kv/namespaces/${namespace_id}/bulk`, { body: ["a"] });
}

async function objects({ cloudflare, runtime }: ApiServer): Promise<void> {
  const { buckets } = cloudflare.r2;
  await buckets.create({ account_id, name: "backup" });
  await buckets.list({ account_id });
  const rule = {
    id: "expire",
    enabled: true,
    conditions: { prefix: "backups/" },
    deleteObjectsTransition: { condition: { type: "Age" as const, maxAge: 2_592_000 } },
  };
  await buckets.lifecycle.update("backup", { account_id, rules: [rule] });
  await buckets.lifecycle.get("backup", { account_id });
  runtime.putObject("backup", "a/b", new Uint8Array(3));
  await buckets.objects.list("backup", { account_id, prefix: "a/" });
  await buckets.objects.delete("a/b", { account_id, bucket_name: "backup" });
}

async function listItems({ cloudflare }: ApiServer): Promise<void> {
  const { lists } = cloudflare.zeroTrust.gateway;
  const items = [{ value: "a@example.com", description: "a" }];
  const { id } = await lists.create({ account_id, name: "list", type: "EMAIL", items });
  await lists.items.list(given(id), { account_id });
}

/** An application with a reusable policy and one of its own. */
async function policies({ cloudflare }: ApiServer): Promise<void> {
  const { access } = cloudflare.zeroTrust;
  const include = [{ everyone: {} }];
  const { id } = await access.policies.create({ account_id, name: "all", decision: "allow", include });
  const own = { name: "own", decision: "bypass" as const, include, precedence: 2 };
  const application = await access.applications.create({
    account_id,
    name: "application",
    type: "self_hosted",
    domain: "app.edge.localhost",
    policies: [{ id: given(id), precedence: 1 }, own],
  });
  await access.applications.get(given(application.id), { account_id });
  await access.policies.get(given(id), { account_id });
}

export const otherCalls: ((server: ApiServer) => Promise<void>)[] = [
  tokens,
  scriptOfTheAccount,
  scriptOfANamespace,
  values,
  objects,
  listItems,
  policies,
];
