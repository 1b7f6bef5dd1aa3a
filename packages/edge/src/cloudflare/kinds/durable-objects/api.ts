import { missing } from "@tenantry/std/difference";
import type { Store } from "#account/store.ts";
import { apiPart, numberedPage } from "../../api/operations.ts";

export interface DurableObjectNamespace {
  id: string;
  /** `{script}_{class}`; `{dispatch namespace}_{script}_{class}` for a namespaced script. */
  name: string;
  script: string;
  class: string;
  use_sqlite: boolean;
  dispatch_namespace?: string;
}

export function listDurableObjectNamespaces(store: Store): DurableObjectNamespace[] {
  return store.list("script").flatMap((script) =>
    script.durable_objects.map((durableObject) => ({
      id: durableObject.namespace_id,
      name: [script.namespace, script.name, durableObject.class_name].filter((part) => part !== undefined).join("_"),
      script: script.name,
      class: durableObject.class_name,
      use_sqlite: durableObject.sqlite,
      ...(script.namespace === undefined ? {} : { dispatch_namespace: script.namespace }),
    })),
  );
}

export const durableObjectsApi = apiPart({
  title: "Durable Object namespaces",
  operations: {
    "GET /accounts/:account_id/workers/durable_objects/namespaces": "durableObjects.namespaces.list",
  },
  differs: [missing("Objects are not listed.")],
  handlers: ({ store }) => ({
    "GET /accounts/:account_id/workers/durable_objects/namespaces": ({ query }) =>
      numberedPage(listDurableObjectNamespaces(store), query),
  }),
});
