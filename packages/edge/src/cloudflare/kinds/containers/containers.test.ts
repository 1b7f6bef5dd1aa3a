import { afterEach, beforeEach, expect, test } from "vitest";
import { type ApiServer, account_id, moduleFile, startApiServer } from "../../api/testing/api-server.ts";
import { refusal } from "../../api/testing/refusal.ts";
import { ManualClock } from "./testing/manual-clock.ts";

let server: ApiServer;
let clock: ManualClock;
let namespaceOf: Record<string, string>;

beforeEach(async () => {
  clock = new ManualClock();
  server = await startApiServer(undefined, { clock, now: clock.now });
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

test("a rollout changes the image in steps, and is stored", async () => {
  const { cloudflare, containers } = server;
  const { id } = await create("box", namespaceOf.Sandbox ?? "");
  const script = { namespace: ".account", name: "app" };
  for (const name of ["a", "b"]) containers.start(script, "Sandbox", name, clock.now());
  const rollout = await cloudflare.containers.applications.rollouts.create(id, {
    account_id,
    description: "a newer gateway",
    strategy: "rolling",
    kind: "full_auto",
    step_percentage: 50,
    target_configuration: { image: "registry.example.com/gateway:2" },
  });
  const find = () => cloudflare.containers.applications.get(id, { account_id });
  expect(await find()).toMatchObject({
    ...{ active_rollout_id: rollout.id, version: 1 },
    configuration: { image: "registry.example.com/gateway:1", instance_type: "lite" },
    health: { instances: { active: 2 }, errors: [] },
  });
  await clock.pass(1000);
  containers.start(script, "Sandbox", "a", clock.now());
  const path = `/accounts/${account_id}/containers/applications/${id}/rollouts`;
  expect(await cloudflare.get(`${path}/${rollout.id}`)).toMatchObject({
    result: {
      ...{ status: "progressing", current_version: 1, target_version: 2 },
      steps: [
        { id: 1, step_size: { percentage: 50 } },
        { id: 2, status: "pending", step_size: { percentage: 100 } },
      ],
      progress: { total_steps: 2, current_step: 1, updated_instances: 1, total_instances: 2 },
      target_configuration: { image: "registry.example.com/gateway:2", instance_type: "lite" },
    },
  });
  expect(await refusal(cloudflare.delete(`${path}/${rollout.id}`))).toMatchObject({ status: 400 });
  expect(await cloudflare.post(`${path}/${rollout.id}`, { body: { action: "next" } })).toMatchObject({
    result: { success: true, rollout: { progress: { current_step: 2 } } },
  });
  await clock.pass(10_000);
  expect(containers.stopped).toEqual(["terminate a", "terminate b"]);
  const found = await find();
  expect(found).toMatchObject({
    ...{ version: 2, configuration: { image: "registry.example.com/gateway:2", instance_type: "lite" } },
  });
  expect(found).not.toHaveProperty("active_rollout_id");
  expect(await cloudflare.get(path)).toMatchObject({
    result: [{ description: "a newer gateway", status: "completed" }],
  });
  expect(await refusal(cloudflare.get(`${path}/none`))).toMatchObject({ status: 404, codes: [1607] });
  await cloudflare.delete(`${path}/${rollout.id}`);
  expect(await cloudflare.get(path)).toMatchObject({ result: [] });
});

test("an image that cannot be pulled is accepted, and appears in the health", async () => {
  server.runtime.missingImages.add("registry.example.com/gateway:1");
  const { id } = await create("box", namespaceOf.Sandbox ?? "");
  const found = await server.cloudflare.containers.applications.get(id, { account_id });
  expect(found).toMatchObject({ health: { errors: [{ event: { name: "ImagePullError", type: "UserError" } }] } });
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
  // Its id is the namespace's, so that a repeated create returns it.
  expect(id).toBe(namespaceOf.Sandbox);
  const again = await applications.create({
    ...{ account_id, name: "box", scheduling_policy: "durable_object" },
    durable_objects: { namespace_id: namespaceOf.Sandbox ?? "" },
  });
  expect(again.id).toBe(id);
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
  const rollout = { description: "d", strategy: "rolling", step_percentage: 100, target_configuration: { image: "j" } };
  const falling = [50, 10].map((percentage) => ({ description: "", step_size: { percentage } }));
  for (const wrong of [
    { step_percentage: undefined },
    { step_percentage: undefined, steps: falling },
    { step_percentage: 33 },
    { kind: "durable_objects_auto" },
    { description: undefined },
  ]) {
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

test("a delete stops the containers; a change of the number does not", async () => {
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
  await cloudflare.delete(path);
  expect(runtime.endedContainers).toEqual(["tenants/tenant-acme"]);
});
