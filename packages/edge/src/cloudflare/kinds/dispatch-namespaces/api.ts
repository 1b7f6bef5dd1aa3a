import { undocumented } from "@tenantry/std/difference";
import * as z from "zod";
import { currentTimestamp, uuid } from "#account/identifiers.ts";
import { ApiError, apiPart, readBody, recordFinder, successResponse, wholeList } from "../../api/operations.ts";
import type { DispatchNamespaceRecord } from "./record.ts";

const namespaceBody = z.object({
  name: z.string().regex(/^[a-z0-9_][a-z0-9_-]{0,62}$/i, "must be 1 to 63 letters, digits, - or _"),
});

export const findDispatchNamespace = recordFinder(
  "dispatch_namespace",
  100119,
  "The specified dispatch namespace does not exist on this account.",
);

export const dispatchNamespacesApi = apiPart({
  title: "Dispatch namespaces",
  operations: {
    "POST /accounts/:account_id/workers/dispatch/namespaces": "workersForPlatforms.dispatch.namespaces.create",
    "GET /accounts/:account_id/workers/dispatch/namespaces": "workersForPlatforms.dispatch.namespaces.list",
    "GET /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace":
      "workersForPlatforms.dispatch.namespaces.get",
    "DELETE /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace":
      "workersForPlatforms.dispatch.namespaces.delete",
  },
  differs: [undocumented("The code of the refused delete of a namespace that has scripts.")],
  handlers: ({ store }) => {
    const scriptsOf = (name: string) => store.list("script").filter((script) => script.namespace === name);
    const toResult = (namespace: DispatchNamespaceRecord) => ({
      namespace_id: namespace.namespace_id,
      namespace_name: namespace.id,
      created_on: namespace.created_on,
      modified_on: namespace.modified_on,
      script_count: scriptsOf(namespace.id).length,
      trusted_workers: false,
    });
    return {
      "POST /accounts/:account_id/workers/dispatch/namespaces": (call) => {
        const { name } = readBody(call, namespaceBody, 100_101);
        if (store.get("dispatch_namespace", name) !== undefined) {
          throw new ApiError(409, 100120, "A dispatch namespace with this name already exists on this account.");
        }
        const time = currentTimestamp();
        const namespace = { id: name, namespace_id: uuid(), created_on: time, modified_on: time };
        store.put("dispatch_namespace", namespace);
        return successResponse(toResult(namespace));
      },
      "GET /accounts/:account_id/workers/dispatch/namespaces": () =>
        wholeList(store.list("dispatch_namespace").map(toResult)),
      "GET /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace": ({ params }) =>
        successResponse(toResult(findDispatchNamespace(store, params.dispatch_namespace))),
      "DELETE /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace": ({ params }) => {
        const { id } = findDispatchNamespace(store, params.dispatch_namespace);
        const scripts = scriptsOf(id);
        if (scripts.length > 0) {
          // Reported, without the code: github.com/sgrastar/authrim/pull/68.
          throw new ApiError(409, 100121, `The dispatch namespace ${id} still has ${scripts.length} scripts.`);
        }
        store.delete("dispatch_namespace", id);
        return successResponse(null);
      },
    };
  },
});
