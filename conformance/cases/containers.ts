/** Container applications: the gateway of each tenant. They start no container, because no object asks for one. */
import * as z from "zod";
import { type Case, casesOf, NOT_DOCUMENTED, type Product } from "../case.ts";
import { all, Contradiction, checkEqual, checkShape, checkThat, refusalOf } from "../checks.ts";
import { lifecycleCases, operationsOf } from "../lifecycle.ts";
import type { Client } from "../run/client.ts";
import type { Scope } from "../run/scope.ts";
import { createTenant, SANDBOX, type TenantScript } from "../uploads.ts";

const product: Product = {
  name: "containers",
  permission: "Workers Containers (Edit) and Workers Scripts (Edit)",
  creates: ["dispatch_namespace", "namespaced_script", "container_application"],
  requires: "Containers and Workers for Platforms",
  variable: "CONFORMANCE_IMAGE",
  standIn: "cloudflare/kinds/containers/api.ts",
};
const registries: Product = {
  name: "containers",
  permission: "Workers Containers (Read)",
  requires: "Containers",
  standIn: "cloudflare/kinds/containers/registries.ts",
};
const path = "/accounts/:account_id/containers/applications" as const;
const item = `${path}/:id` as const;
const SOURCE = "https://developers.cloudflare.com/api/resources/containers/";
const WRANGLER = "https://github.com/cloudflare/workers-sdk/blob/main/packages/wrangler/src/containers/deploy.ts";

const { CONFORMANCE_IMAGE: IMAGE = "registry.cloudflare.com/account/gateway:1" } = process.env;

const ROLLOUTS =
  "https://github.com/cloudflare/workers-sdk/blob/main/packages/containers-shared/src/client/models/ApplicationRollout.ts";

/** Cloudflare documents no duration. */
const ROLLOUT_MS = 10 * 60_000;

/** As the provider `tenantry` creates it. */
const rollout = {
  description: "conformance",
  strategy: "rolling",
  kind: "full_auto",
  step_percentage: 100,
  target_configuration: { image: IMAGE, instance_type: "basic" },
};
const rollouts = z.looseObject({
  result: z.array(z.looseObject({ id: z.string(), description: z.string(), status: z.string() })),
});
const oneRollout = z.looseObject({
  result: z.looseObject({ status: z.string(), target_configuration: z.looseObject({ instance_type: z.string() }) }),
});
const activeRollout = z.looseObject({ active_rollout_id: z.string().optional() });
const healthy = z.looseObject({
  health: z.looseObject({ errors: z.array(z.looseObject({ event: z.looseObject({ name: z.string() }) })) }),
});
const created = z.looseObject({ result: z.looseObject({ id: z.string() }) });

/** Creates a tenant with a container class. @returns the id of the class's Durable Object namespace */
async function createClass(client: Client, scope: Scope): Promise<{ tenant: TenantScript; namespaceId: string }> {
  const { code, migrations, containers, binding } = SANDBOX;
  const tenant = await createTenant(client, scope, { migrations, containers, bindings: [binding] }, code);
  const { account_id } = scope;
  const { dispatch_namespace, name } = tenant;
  const { settings } = client.sdk.workersForPlatforms.dispatch.namespaces.scripts;
  const { bindings = [] } = await settings.get(name, { account_id, dispatch_namespace });
  const bound = z.looseObject({ namespace_id: z.string() });
  return { tenant, namespaceId: checkShape("The binding", bindings[0], bound).namespace_id };
}

/** As the provider `tenantry` creates it (`stack/provider/containers/container-applications.ts`). */
async function createApplication(
  { sdk }: Client,
  { account_id, own }: Scope,
  namespace_id: string,
  { name = own("container_application"), image = IMAGE }: { name?: string; image?: string } = {},
) {
  const body = {
    name,
    scheduling_policy: "default",
    instances: 0,
    max_instances: 2,
    configuration: { image, instance_type: "lite" },
    durable_objects: { namespace_id },
    constraints: {},
    rollout_active_grace_period: 0,
  };
  const answer = await sdk.post(`/accounts/${account_id}/containers/applications`, { body });
  return checkShape("The answer", answer, created).result.id;
}

async function create(client: Client, scope: Scope): Promise<string> {
  return createApplication(client, scope, (await createClass(client, scope)).namespaceId);
}

const get = ({ sdk }: Client, { account_id }: Scope, id: string) => sdk.containers.applications.get(id, { account_id });

async function checkNamedRefusal(what: string, call: PromiseLike<unknown>, error: string): Promise<void> {
  const { message } = await refusalOf(what, call);
  if (!message.includes(error)) throw new Contradiction(`${what} is refused by "${message}", not ${error}.`);
}

export const containerCases: Case[] = [
  ...casesOf(registries, {
    "registry-list": {
      operations: ["GET /accounts/:account_id/containers/registries"],
      reliesOn: "The list has the domain of each registry that the account configured.",
      source: SOURCE,
      async run(client, { account_id }) {
        const answer = await client.sdk.get(`/accounts/${account_id}/containers/registries`);
        const shape = z.looseObject({ result: z.array(z.looseObject({ domain: z.string() })) });
        checkShape("The list of registries", answer, shape);
      },
    },
    "registry-credentials": {
      operations: ["POST /accounts/:account_id/containers/registries/:domain/credentials"],
      reliesOn: "The account's registry gives credentials to pull, and serves a missing manifest with 404.",
      source: SOURCE,
      async run(client, { account_id }) {
        const body = { permissions: ["pull"], expiration_minutes: 5 };
        const path = `/accounts/${account_id}/containers/registries/registry.cloudflare.com/credentials`;
        const shape = z.looseObject({
          result: z.looseObject({ registry_host: z.string(), username: z.string(), password: z.string() }),
        });
        const { result } = checkShape("The credentials", await client.sdk.post(path, { body }), shape);
        const { registry_host: host, username, password } = result;
        const protocol = /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host) ? "http" : "https";
        const headers = { authorization: `Basic ${btoa(`${username}:${password}`)}` };
        const url = `${protocol}://${host}/v2/${account_id}/missing/manifests/1`;
        const { status } = await fetch(url, { method: "HEAD", headers });
        checkEqual("The status of a missing manifest", status, 404);
      },
    },
  }),
  ...lifecycleCases(product, {
    name: "application",
    title: "a container application",
    source: SOURCE,
    operations: operationsOf(path, item, "PATCH"),
    create,
    read: get,
    shape: z.looseObject({
      id: z.string(),
      name: z.string(),
      max_instances: z.literal(2),
      configuration: z.looseObject({ image: z.string().min(1), instance_type: z.literal("lite") }),
      durable_objects: z.looseObject({ namespace_id: z.string() }),
    }),
    list: async ({ sdk }, { account_id }) =>
      (await all(sdk.containers.applications.list({ account_id }))).map(({ id }) => id),
    update: {
      send: ({ sdk }, { account_id }, id) =>
        sdk.patch(`/accounts/${account_id}/containers/applications/${id}`, { body: { max_instances: 3 } }),
      shape: z.looseObject({
        max_instances: z.literal(3),
        configuration: z.looseObject({ instance_type: z.literal("lite") }),
      }),
      reliesOn: "A change of max_instances alone keeps image and instance type.",
    },
    remove: ({ sdk }, { account_id }, id) => sdk.containers.applications.delete(id, { account_id }),
  }),
  ...casesOf(product, {
    "application-second-of-class": {
      operations: [`POST ${path}`],
      reliesOn: "A second application of a class is refused with DURABLE_OBJECT_ALREADY_HAS_APPLICATION.",
      source: NOT_DOCUMENTED,
      async run(client, scope) {
        const { namespaceId } = await createClass(client, scope);
        await createApplication(client, scope, namespaceId);
        const second = createApplication(client, scope, namespaceId);
        await checkNamedRefusal("a second application", second, "DURABLE_OBJECT_ALREADY_HAS_APPLICATION");
      },
    },
    "application-second-of-name": {
      operations: [`POST ${path}`],
      reliesOn: "A second application of the same name is refused, also for another class.",
      source: NOT_DOCUMENTED,
      async run(client, scope) {
        const [first, second] = [await createClass(client, scope), await createClass(client, scope)];
        const name = scope.own("container_application");
        await createApplication(client, scope, first.namespaceId, { name });
        const again = createApplication(client, scope, second.namespaceId, { name });
        await refusalOf("a second application of the same name", again);
      },
    },
    "application-after-delete": {
      operations: [`POST ${path}`, `DELETE ${item}`],
      reliesOn: "After the delete of an application, its class can have a new one.",
      // Users report that a class stays bound: "DURABLE_OBJECT_ALREADY_HAS_APPLICATION" after `wrangler containers delete`.
      source: NOT_DOCUMENTED,
      async run(client, scope) {
        const { account_id } = scope;
        const { namespaceId } = await createClass(client, scope);
        const id = await createApplication(client, scope, namespaceId);
        await client.sdk.containers.applications.delete(id, { account_id });
        const again = await createApplication(client, scope, namespaceId);
        checkThat("the new application has another id", again !== id);
      },
    },
    "application-of-deleted-script": {
      operations: [`GET ${item}`, `DELETE ${item}`],
      reliesOn: "An application outlives its script and can be deleted after it.",
      source: NOT_DOCUMENTED,
      async run(client, scope) {
        const { account_id } = scope;
        const { tenant, namespaceId } = await createClass(client, scope);
        const id = await createApplication(client, scope, namespaceId);
        const { dispatch_namespace, name } = tenant;
        const { scripts } = client.sdk.workersForPlatforms.dispatch.namespaces;
        await scripts.delete(name, { account_id, dispatch_namespace, force: true });
        const orphan = await get(client, scope, id);
        checkEqual("The namespace of the orphan", orphan.durable_objects?.namespace_id, namespaceId);
        await client.sdk.containers.applications.delete(id, { account_id });
      },
    },
    "application-without-class": {
      operations: [`POST ${path}`],
      reliesOn: "An application of a missing Durable Object namespace is refused with DURABLE_OBJECT_NOT_FOUND.",
      source: NOT_DOCUMENTED,
      async run(client, scope) {
        const create = createApplication(client, scope, "0".repeat(32));
        await checkNamedRefusal("an application without a class", create, "DURABLE_OBJECT_NOT_FOUND");
      },
    },
    "application-of-missing-image": {
      operations: [`POST ${path}`, `GET ${item}`],
      reliesOn: "An application of an image that cannot be pulled is accepted, and its health has an ImagePullError.",
      // Users report the event: github.com/cloudflare/sandbox-sdk/issues/692.
      source: NOT_DOCUMENTED,
      async run(client, scope) {
        const { namespaceId } = await createClass(client, scope);
        const image = `registry.cloudflare.com/${scope.account_id}/missing:1`;
        const id = await createApplication(client, scope, namespaceId, { image });
        const errors = async () => {
          const { health } = checkShape("The application", await get(client, scope, id), healthy);
          return health.errors.map(({ event }) => event.name);
        };
        await scope.eventually(
          "an ImagePullError in the health",
          errors,
          (found) => found.includes("ImagePullError"),
          ROLLOUT_MS,
        );
      },
    },
    "application-of-durable-objects": {
      operations: [`POST ${path}`],
      reliesOn:
        "A namespaced class can have an application of the policy durable_object. Its id is the namespace's, and a second create returns it.",
      source: "https://github.com/cloudflare/workers-sdk/pull/15480",
      async run(client, scope) {
        const { namespaceId } = await createClass(client, scope);
        const body = {
          name: scope.own("container_application"),
          scheduling_policy: "durable_object",
          durable_objects: { namespace_id: namespaceId },
        };
        const create = async () => {
          const answer = await client.sdk.post(`/accounts/${scope.account_id}/containers/applications`, { body });
          return checkShape("The answer", answer, created).result.id;
        };
        checkEqual("The id", await create(), namespaceId);
        checkEqual("The id of a second create", await create(), namespaceId);
      },
    },
    "application-rollout-progress": {
      operations: [`POST ${item}/rollouts`, `GET ${item}/rollouts`, `GET ${item}/rollouts/:rollout_id`],
      reliesOn:
        "A rollout is listed by its description, and shows its status and target. The application names it until it ends.",
      source: ROLLOUTS,
      async run(client, scope) {
        const id = await create(client, scope);
        const application = `/accounts/${scope.account_id}/containers/applications/${id}`;
        const body = { ...rollout, description: "conformance: progress" };
        await client.sdk.post(`${application}/rollouts`, { body });
        const listed = checkShape("The rollouts", await client.sdk.get(`${application}/rollouts`), rollouts);
        const found = listed.result.find(({ description }) => description === body.description);
        checkThat("the rollout is listed", found !== undefined);
        const read = async () =>
          checkShape("The rollout", await client.sdk.get(`${application}/rollouts/${found?.id}`), oneRollout).result;
        checkEqual("The target's instance type", (await read()).target_configuration.instance_type, "basic");
        const active = checkShape("The application", await get(client, scope, id), activeRollout).active_rollout_id;
        checkThat("no other rollout is active", active === undefined || active === found?.id);
        await scope.eventually("a completed rollout", read, ({ status }) => status === "completed", ROLLOUT_MS);
      },
    },
    "application-rollout-replaced": {
      operations: [`POST ${item}/rollouts`, `GET ${item}/rollouts`],
      reliesOn: "A rollout is accepted while another one is in progress, and is the only one that completes.",
      // The status `replaced` is in the vendor's client.
      source: ROLLOUTS,
      async run(client, scope) {
        const id = await create(client, scope);
        const application = `/accounts/${scope.account_id}/containers/applications/${id}`;
        for (const description of ["first", "second"])
          await client.sdk.post(`${application}/rollouts`, { body: { ...rollout, description } });
        const statuses = async () => {
          const { result } = checkShape("The rollouts", await client.sdk.get(`${application}/rollouts`), rollouts);
          return Object.fromEntries(result.map(({ description, status }) => [description, status]));
        };
        const end = await scope.eventually(
          "a completed second rollout",
          statuses,
          ({ second }) => second === "completed",
          ROLLOUT_MS,
        );
        checkEqual("The first rollout's status", end.first, "replaced");
      },
    },
    "application-image-change": {
      operations: [`POST ${item}/rollouts`, `GET ${item}`],
      reliesOn: "A rollout of type full_auto with step_percentage 100 changes the instance type.",
      source: WRANGLER,
      async run(client, scope) {
        const id = await create(client, scope);
        await client.sdk.post(`/accounts/${scope.account_id}/containers/applications/${id}/rollouts`, {
          body: rollout,
        });
        const configured = z.looseObject({ configuration: z.looseObject({ instance_type: z.string() }) });
        const type = async () =>
          checkShape("The application", await get(client, scope, id), configured).configuration.instance_type;
        await scope.eventually("a rollout in the application", type, (found) => found === "basic", ROLLOUT_MS);
      },
    },
  }),
];
