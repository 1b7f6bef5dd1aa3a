import { afterEach, beforeEach, expect, test } from "vitest";
import { type ApiServer, account_id, moduleFile, startApiServer } from "../../api/testing/api-server.ts";
import { refusal } from "../../api/testing/refusal.ts";

let server: ApiServer;
let namespaceOf: Record<string, string>;

beforeEach(async () => {
  server = await startApiServer();
  const metadata = {
    main_module: "index.js",
    migrations: { new_tag: "v1", new_sqlite_classes: ["Sandbox", "Supervisor"] },
    ...{ containers: [{ class_name: "Sandbox" }] },
  };
  const files = [await moduleFile("export default {};")];
  await server.cloudflare.workers.scripts.update("app", { account_id, metadata, files });
  const { result } = await server.cloudflare.durableObjects.namespaces.list({ account_id });
  namespaceOf = Object.fromEntries(result.map((one) => [one.class ?? "", one.id ?? ""]));
});
afterEach(() => server.close());

function create(name: string, namespace_id: string) {
  return server.cloudflare.containers.applications.create({
    account_id,
    name,
    scheduling_policy: "default",
    instances: 0,
    max_instances: 2,
    configuration: { image: "registry.example.com/gateway:1", instance_type: "lite" },
    durable_objects: { namespace_id },
  });
}

test("a rollout changes the image and is stored", async () => {
  const { id } = await create("box", namespaceOf.Sandbox ?? "");
  const rollout = await server.cloudflare.containers.applications.rollouts.create(id, {
    account_id,
    description: "a newer gateway",
    strategy: "rolling",
    kind: "full_auto",
    step_percentage: 100,
    target_configuration: { image: "registry.example.com/gateway:2" },
  });
  expect(await server.cloudflare.containers.applications.get(id, { account_id })).toMatchObject({
    configuration: { image: "registry.example.com/gateway:2", instance_type: "lite" },
    version: 2,
  });
  const path = `/accounts/${account_id}/containers/applications/${id}/rollouts`;
  expect(await server.cloudflare.get(path)).toMatchObject({ result: [{ description: "a newer gateway" }] });
  expect(await server.cloudflare.get(`${path}/${rollout.id}`)).toMatchObject({ result: { status: "completed" } });
  expect(await refusal(server.cloudflare.get(`${path}/none`))).toMatchObject({ status: 404, codes: [1607] });
});

test("an update of the configuration or the name is refused", async () => {
  const { id } = await create("box", namespaceOf.Sandbox ?? "");
  const path = `/accounts/${account_id}/containers/applications/${id}`;
  for (const body of [{ configuration: { image: "other" } }, { name: "other" }]) {
    expect(await refusal(server.cloudflare.patch(path, { body }))).toMatchObject({ status: 400 });
  }
  expect(await server.cloudflare.get(path)).toMatchObject({
    result: { name: "box", configuration: { image: "registry.example.com/gateway:1" } },
  });
});

test("applications managed by Durable Objects have neither image nor rollouts", async () => {
  const { applications } = server.cloudflare.containers;
  const configuration = { authorized_keys: [{ public_key: "ssh-ed25519 A" }], wrangler_ssh: { enabled: true } };
  const { id } = await applications.create({
    account_id,
    name: "box",
    scheduling_policy: "durable_object",
    durable_objects: { script_name: "app", class_name: "Sandbox" },
    configuration,
  });
  const found = await applications.get(id, { account_id });
  expect(found).toMatchObject({ durable_objects: { namespace_id: namespaceOf.Sandbox }, configuration });
  expect(found).not.toHaveProperty("version");
  const target_configuration = { image: "gateway:2" };
  const rollout = { account_id, description: "", strategy: "rolling" as const, target_configuration };
  expect(await refusal(applications.rollouts.create(id, rollout))).toMatchObject({ status: 400 });
});

test("an application can have no instances, unknown fields, and a rollout to new instances", async () => {
  const { applications } = server.cloudflare.containers;
  const { id } = await create("box", namespaceOf.Sandbox ?? "");
  const authorized_keys = [{ public_key: "ssh-ed25519 A", name: "operator" }];
  await applications.edit(id, { account_id, max_instances: 0, configuration: { authorized_keys } });
  expect(await applications.get(id, { account_id })).toMatchObject({
    max_instances: 0,
    configuration: { image: "registry.example.com/gateway:1", authorized_keys },
  });
  const rollout = await applications.rollouts.create(id, {
    account_id,
    description: "all at once",
    strategy: "new_instances",
    percentage: 100,
    target_configuration: {},
  });
  expect(rollout).toMatchObject({ strategy: "new_instances", health: { errors: [] } });
});

test("an application without max_instances or a policy is refused, and an undeclared rollout too", async () => {
  const { cloudflare } = server;
  const path = `/accounts/${account_id}/containers/applications`;
  const application = {
    name: "other",
    scheduling_policy: "default",
    instances: 0,
    max_instances: 2,
    configuration: { image: "i" },
    durable_objects: { namespace_id: namespaceOf.Sandbox },
  };
  for (const missing of ["max_instances", "scheduling_policy"]) {
    const body = { ...application, [missing]: undefined };
    expect(await refusal(cloudflare.post(path, { body }))).toMatchObject({ status: 400 });
  }
  const { id } = await create("box", namespaceOf.Sandbox ?? "");
  const rollout = { description: "d", strategy: "rolling", target_configuration: { image: "j" } };
  for (const wrong of [{ step_percentage: 33 }, { kind: "durable_objects_auto" }, { description: undefined }]) {
    const body = { ...rollout, ...wrong };
    expect(await refusal(cloudflare.post(`${path}/${id}/rollouts`, { body }))).toMatchObject({ status: 400 });
  }
});

test("an application needs an unused namespace whose class has a container", async () => {
  expect((await refusal(create("box", "0".repeat(32)))).message).toContain("DURABLE_OBJECT_NOT_FOUND");
  expect((await refusal(create("box", namespaceOf.Supervisor ?? ""))).message).toContain(
    "DURABLE_OBJECT_NOT_CONTAINER_ENABLED",
  );
  await create("box", namespaceOf.Sandbox ?? "");
  expect((await refusal(create("other", namespaceOf.Sandbox ?? ""))).message).toContain(
    "DURABLE_OBJECT_ALREADY_HAS_APPLICATION",
  );
});

test("a rollout and a delete stop the containers; a change of the number does not", async () => {
  const { cloudflare, runtime } = server;
  const dispatch_namespace = "tenants";
  await cloudflare.workersForPlatforms.dispatch.namespaces.create({ account_id, name: dispatch_namespace });
  const metadata = {
    main_module: "index.js",
    migrations: { new_tag: "v1", new_sqlite_classes: ["Sandbox"] },
    ...{ containers: [{ class_name: "Sandbox" }] },
  };
  await cloudflare.workersForPlatforms.dispatch.namespaces.scripts.update("tenant-acme", {
    account_id,
    dispatch_namespace,
    metadata,
    files: [await moduleFile("export default {};")],
  });
  const { result } = await cloudflare.durableObjects.namespaces.list({ account_id });
  const { id } = await create("acme", result.find(({ script }) => script === "tenant-acme")?.id ?? "");
  const path = `/accounts/${account_id}/containers/applications/${id}`;
  await cloudflare.patch(path, { body: { max_instances: 3 } });
  expect(runtime.endedContainers).toEqual([]);
  const body = { description: "", strategy: "rolling", target_configuration: { instance_type: "standard-1" } };
  await cloudflare.post(`${path}/rollouts`, { body });
  expect(runtime.endedContainers).toEqual(["tenants/tenant-acme"]);
  await cloudflare.delete(path);
  expect(runtime.endedContainers).toEqual(["tenants/tenant-acme", "tenants/tenant-acme"]);
});
