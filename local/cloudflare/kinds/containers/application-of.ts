import type { ContainerApplicationRecord } from "../../../account/model.ts";
import type { Store } from "../../../account/store.ts";

/** The application that gives a Durable Object class its containers; `undefined` while there is none. */
export function containerApplication(store: Store, namespaceId: string): ContainerApplicationRecord | undefined {
  return store.list("container_application").find((one) => one.durable_objects.namespace_id === namespaceId);
}
