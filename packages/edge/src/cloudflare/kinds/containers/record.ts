import type { Store } from "#account/store.ts";

export interface ContainerApplicationRecord {
  id: string;
  name: string;
  durable_objects: { namespace_id: string };
  /** Without an image when Durable Objects manage the containers. */
  configuration: { image?: string; instance_type?: string; [field: string]: unknown };
  instances?: number;
  max_instances?: number;
  scheduling_policy: string;
  created_at: string;
  [field: string]: unknown;
}

declare module "../../../account/records.ts" {
  interface Records {
    container_application: ContainerApplicationRecord;
  }
}

/** Returns the application of a Durable Object class. */
export function containerApplication(store: Store, namespaceId: string): ContainerApplicationRecord | undefined {
  return store.list("container_application").find((one) => one.durable_objects.namespace_id === namespaceId);
}
