import { missing } from "@tenantry/std/difference";
import * as z from "zod";
import { currentTimestamp, uuid } from "#account/identifiers.ts";
import { containerScript } from "#containers/names.ts";
import { ApiError, apiPart, pageLimit, readBody, successResponse } from "../../api/operations.ts";
import { listDurableObjectNamespaces } from "../durable-objects/api.ts";
import {
  applicationHealth,
  authorizedKeys,
  checkSize,
  configuration,
  containerApiError,
  findApplication,
  invalid,
  isManaged,
} from "./application.ts";
import type { ContainerApplicationRecord } from "./record.ts";
import { openRollout } from "./rollouts/record.ts";

/** Fields that change without a rollout. An application managed by Durable Objects has no others. */
const access = z.looseObject({
  image: z.never("is changed by a rollout").exactOptional(),
  instance_type: z.never("is changed by a rollout").exactOptional(),
  authorized_keys: authorizedKeys.exactOptional(),
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
const fixed = ["name", "durable_objects", "id", "scheduling_policy"];

export const containersApi = apiPart({
  title: "Container applications",
  operations: {
    "POST /accounts/:account_id/containers/applications": "containers.applications.create",
    "GET /accounts/:account_id/containers/applications": "containers.applications.list",
    "GET /accounts/:account_id/containers/applications/:id": "containers.applications.get",
    "PATCH /accounts/:account_id/containers/applications/:id": "containers.applications.edit",
    "DELETE /accounts/:account_id/containers/applications/:id": "containers.applications.delete",
  },
  differs: [
    missing("Only for a Durable Object namespace."),
    missing(
      "An application with the policy `durable_object` has no image and starts no container, because workerd cannot name an image at the start.",
    ),
  ],
  handlers: ({ limits, store, runtime, accountId }) => {
    const scriptOf = (namespaceId: string) =>
      store.list("script").find((one) => one.durable_objects.some((it) => it.namespace_id === namespaceId));
    /** A delete stops containers and deletes their disks. */
    const endContainers = async ({ durable_objects }: ContainerApplicationRecord): Promise<void> => {
      const script = scriptOf(durable_objects.namespace_id);
      if (script !== undefined) await runtime.endContainers(containerScript(script));
    };
    const toResult = (application: ContainerApplicationRecord) => {
      const { rollouts: _, ...shown } = application;
      const { instances, errors } = applicationHealth(runtime, application);
      const active_rollout_id = openRollout(application)?.id;
      return {
        ...shown,
        account_id: accountId,
        ...(active_rollout_id !== undefined && { active_rollout_id }),
        health: isManaged(application)
          ? { instances: { active: instances.active, starting: 0 } }
          : { instances, errors },
      };
    };
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
        const present = others.find((other) => other.durable_objects.namespace_id === namespace_id);
        // Idempotent, by wrangler's account (github.com/cloudflare/workers-sdk/pull/15480).
        if (present !== undefined && isManaged(body) && isManaged(present)) return successResponse(toResult(present));
        if (present !== undefined) {
          throw containerApiError(400, "DURABLE_OBJECT_ALREADY_HAS_APPLICATION");
        }
        if (others.some((other) => other.name === body.name)) {
          throw containerApiError(400, "APPLICATION_NAME_ALREADY_EXISTS");
        }
        const time = currentTimestamp();
        const application: ContainerApplicationRecord = {
          ...body,
          durable_objects: { namespace_id },
          // The namespace's id, by the same account.
          id: isManaged(body) ? namespace_id : uuid(),
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
        successResponse(toResult(findApplication(store, params.id))),
      "PATCH /accounts/:account_id/containers/applications/:id": (call) => {
        const application = findApplication(store, call.params.id);
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
        const application = findApplication(store, params.id);
        store.delete("container_application", application.id);
        await endContainers(application);
        return successResponse({ message: "Application deleted" });
      },
    };
  },
});
