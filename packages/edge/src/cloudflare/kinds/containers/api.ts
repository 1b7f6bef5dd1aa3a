import { INSTANCE_TYPES } from "@tenantry/cloudflare-limits/values";
import { lenient, missing } from "@tenantry/std/difference";
import * as z from "zod";
import { currentTimestamp, uuid } from "#account/identifiers.ts";
import { containerScript } from "#containers/names.ts";
import type { EdgeLimits } from "#limits/edge-limits.ts";
import { ApiError, apiPart, pageLimit, readBody, recordFinder, successResponse } from "../../api/operations.ts";
import { listDurableObjectNamespaces } from "../durable-objects/api.ts";
import type { ContainerApplicationRecord } from "./record.ts";

const invalid = 1000;
/** Cloudflare's code for an error that the message names. */
const refused = 1607;
const instanceTypes = Object.keys(INSTANCE_TYPES) as (keyof typeof INSTANCE_TYPES)[];
const authorized_keys = z.array(z.looseObject({ public_key: z.string(), name: z.string().exactOptional() }));
const configuration = z.looseObject({
  image: z.string().min(1),
  instance_type: z.enum(instanceTypes).exactOptional(),
  vcpu: z.number().exactOptional(),
  memory_mib: z.number().exactOptional(),
  disk: z.looseObject({ size_mb: z.number().exactOptional() }).exactOptional(),
  authorized_keys: authorized_keys.exactOptional(),
});
/** Fields that change without a rollout. An application managed by Durable Objects has no others. */
const access = z.looseObject({
  image: z.never("is changed by a rollout").exactOptional(),
  instance_type: z.never("is changed by a rollout").exactOptional(),
  authorized_keys: authorized_keys.exactOptional(),
  wrangler_ssh: z.looseObject({ enabled: z.boolean().exactOptional(), port: z.int().exactOptional() }).exactOptional(),
});
const owner = z.union([
  z.looseObject({ namespace_id: z.string() }),
  z.looseObject({ class_name: z.string(), script_name: z.string() }),
]);
const newApplication = z.discriminatedUnion("scheduling_policy", [
  z.looseObject({
    scheduling_policy: z.literal("default"),
    name: z.string().min(1),
    instances: z.int().min(0),
    max_instances: z.int().min(0),
    configuration,
    durable_objects: owner,
  }),
  z.looseObject({
    scheduling_policy: z.literal("durable_object"),
    name: z.string().min(1),
    configuration: access.default({}),
    durable_objects: owner,
  }),
]);
const applicationChange = z.looseObject({
  instances: z.int().min(0).exactOptional(),
  max_instances: z.int().min(0).exactOptional(),
  configuration: access.default({}),
});
const newRollout = z.looseObject({
  description: z.string(),
  strategy: z.enum(["rolling", "new_instances"]),
  kind: z.enum(["full_auto", "full_manual"]).default("full_auto"),
  percentage: z.number().min(0).max(100).exactOptional(),
  step_percentage: z.literal([5, 10, 20, 25, 50, 100]).exactOptional(),
  steps: z
    .array(z.looseObject({ description: z.string(), step_size: z.looseObject({ percentage: z.number() }) }))
    .exactOptional(),
  target_configuration: configuration.extend({ image: z.string().min(1).exactOptional() }),
});
const fixed = ["name", "durable_objects", "id", "scheduling_policy"];

interface Rollout {
  id: string;
  [field: string]: unknown;
}

/** Returns an error in the format of the containers API. */
function containerApiError(status: number, name: string): ApiError {
  return new ApiError(status, refused, JSON.stringify({ error: name }));
}

type Configuration = Partial<z.infer<typeof configuration>>;

/** Checks a custom instance type. @throws ApiError 400 */
function checkSize(limits: EdgeLimits, { instance_type, vcpu, memory_mib, disk }: Configuration): void {
  const custom = { vcpu, memory_mib, size_mb: disk?.size_mb };
  if (instance_type !== undefined || Object.values(custom).every((value) => value === undefined)) return;
  if (vcpu !== undefined) {
    limits.check("customVcpuLeast", vcpu);
    limits.check("customVcpu", vcpu);
    if (memory_mib !== undefined) limits.check("customMemoryPerVcpu", memory_mib / vcpu);
  }
  if (memory_mib !== undefined) limits.check("customMemory", memory_mib);
  if (custom.size_mb === undefined) return;
  limits.check("customDisk", custom.size_mb);
  if (memory_mib !== undefined) limits.check("customDiskPerMemory", (custom.size_mb * 1_024) / memory_mib);
}

/** Whether Durable Objects manage the containers, without versions and rollouts. */
function isManaged({ scheduling_policy }: { scheduling_policy: string }): boolean {
  return scheduling_policy === "durable_object";
}

const find = recordFinder("container_application", refused, JSON.stringify({ error: "APPLICATION_NOT_FOUND" }));

export const containersApi = apiPart({
  title: "Container applications",
  operations: {
    "POST /accounts/:account_id/containers/applications": "containers.applications.create",
    "GET /accounts/:account_id/containers/applications": "containers.applications.list",
    "GET /accounts/:account_id/containers/applications/:id": "containers.applications.get",
    "PATCH /accounts/:account_id/containers/applications/:id": "containers.applications.edit",
    "DELETE /accounts/:account_id/containers/applications/:id": "containers.applications.delete",
    "POST /accounts/:account_id/containers/applications/:id/rollouts": "containers.applications.rollouts.create",
    "GET /accounts/:account_id/containers/applications/:id/rollouts": "-",
    "GET /accounts/:account_id/containers/applications/:id/rollouts/:rollout_id": "-",
  },
  differs: [
    missing("Only for a Durable Object namespace."),
    lenient(
      "A rollout completes immediately.",
      "Containers of a machine start within seconds.",
      "containers.application-image-change",
    ),
    lenient(
      "Images are names; nothing is pulled, so an image that does not exist is accepted.",
      "Processes of the machine stand for images.",
      "containerImages",
    ),
    missing("An application with the policy `durable_object` has no image and starts no container."),
  ],
  handlers: ({ limits, store, runtime, accountId }) => {
    const scriptOf = (namespaceId: string) =>
      store.list("script").find((one) => one.durable_objects.some((it) => it.namespace_id === namespaceId));
    /** A rollout or a delete stops containers and deletes their disks. */
    const endContainers = async ({ durable_objects }: ContainerApplicationRecord): Promise<void> => {
      const script = scriptOf(durable_objects.namespace_id);
      if (script !== undefined) await runtime.endContainers(containerScript(script));
    };
    const rolloutsOf = (application: ContainerApplicationRecord): Rollout[] =>
      z.array(z.looseObject({ id: z.string() })).parse(application.rollouts ?? []);
    /** Instances are not counted. */
    const health = { instances: { active: 0, assigned: 0 }, errors: [] };
    const toResult = ({ rollouts: _, ...application }: ContainerApplicationRecord) => ({
      ...application,
      account_id: accountId,
      health: isManaged(application) ? { instances: { active: 0, starting: 0 } } : health,
    });
    const namespaceOf = (given: z.infer<typeof owner>) =>
      listDurableObjectNamespaces(store).find((one) =>
        "namespace_id" in given
          ? one.id === given.namespace_id
          : one.script === given.script_name && one.class === given.class_name && one.dispatch_namespace === undefined,
      );
    return {
      "POST /accounts/:account_id/containers/applications": (call) => {
        const body = readBody(call, newApplication, invalid);
        checkSize(limits, body.configuration);
        const namespace = namespaceOf(body.durable_objects);
        if (namespace === undefined) throw containerApiError(400, "DURABLE_OBJECT_NOT_FOUND");
        const namespace_id = namespace.id;
        if (!scriptOf(namespace_id)?.containers.some((one) => one.class_name === namespace.class)) {
          throw containerApiError(400, "DURABLE_OBJECT_NOT_CONTAINER_ENABLED");
        }
        const others = store.list("container_application");
        if (others.some((other) => other.durable_objects.namespace_id === namespace_id)) {
          throw containerApiError(400, "DURABLE_OBJECT_ALREADY_HAS_APPLICATION");
        }
        if (others.some((other) => other.name === body.name)) {
          throw containerApiError(400, "APPLICATION_NAME_ALREADY_EXISTS");
        }
        const time = currentTimestamp();
        const application: ContainerApplicationRecord = {
          ...body,
          durable_objects: { namespace_id },
          id: uuid(),
          ...(isManaged(body) ? {} : { version: 1 }),
          created_at: time,
          updated_at: time,
        };
        store.put("container_application", application);
        return successResponse(toResult(application));
      },
      "GET /accounts/:account_id/containers/applications": ({ query }) => {
        const name = query.get("name");
        const image = query.get("image");
        const found = store
          .list("container_application")
          .filter(
            (one) => (name ?? one.name) === one.name && (image ?? one.configuration.image) === one.configuration.image,
          );
        const limit = pageLimit(query, "per_page", 1000, 1000);
        const index = found.findIndex((one) => one.id === query.get("page_token"));
        const start = Math.max(0, index);
        const next = found[start + limit];
        const page = found.slice(start, start + limit).map(toResult);
        return successResponse(page, { count: page.length, per_page: limit, next_page_token: next?.id });
      },
      "GET /accounts/:account_id/containers/applications/:id": ({ params }) =>
        successResponse(toResult(find(store, params.id))),
      "PATCH /accounts/:account_id/containers/applications/:id": (call) => {
        const application = find(store, call.params.id);
        const change = readBody(call, applicationChange, invalid);
        const wrong = fixed.find((field) => change[field] !== undefined);
        if (wrong !== undefined) throw new ApiError(400, invalid, `${wrong}: cannot be changed`);
        const changed: ContainerApplicationRecord = {
          ...application,
          ...change,
          configuration: { ...application.configuration, ...change.configuration },
          updated_at: currentTimestamp(),
        };
        store.put("container_application", changed);
        return successResponse(toResult(changed));
      },
      "DELETE /accounts/:account_id/containers/applications/:id": async ({ params }) => {
        const application = find(store, params.id);
        store.delete("container_application", application.id);
        await endContainers(application);
        return successResponse({ message: "Application deleted" });
      },
      "POST /accounts/:account_id/containers/applications/:id/rollouts": async (call) => {
        const application = find(store, call.params.id);
        if (isManaged(application))
          throw new ApiError(400, invalid, "An application that Durable Objects manage has no rollouts.");
        const { description, strategy, kind, target_configuration } = readBody(call, newRollout, invalid);
        const target = { ...application.configuration, ...target_configuration };
        checkSize(limits, target_configuration);
        const version = Number(application.version) + 1;
        const time = currentTimestamp();
        const rollout: Rollout = {
          id: uuid(),
          description,
          strategy,
          kind,
          status: "completed",
          health,
          current_version: version - 1,
          target_version: version,
          current_configuration: application.configuration,
          target_configuration: target,
          created_at: time,
          last_updated_at: time,
          started_at: time,
        };
        store.put("container_application", {
          ...application,
          configuration: target,
          version,
          updated_at: time,
          rollouts: [...rolloutsOf(application), rollout],
        });
        await endContainers(application);
        return successResponse(rollout);
      },
      "GET /accounts/:account_id/containers/applications/:id/rollouts": ({ params }) =>
        successResponse(rolloutsOf(find(store, params.id)).toReversed()),
      "GET /accounts/:account_id/containers/applications/:id/rollouts/:rollout_id": ({ params }) => {
        const rollout = rolloutsOf(find(store, params.id)).find((one) => one.id === params.rollout_id);
        if (rollout === undefined) throw containerApiError(404, "ROLLOUT_NOT_FOUND");
        return successResponse(rollout);
      },
    };
  },
});
