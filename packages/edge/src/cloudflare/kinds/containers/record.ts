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
  /** See `rollouts/record.ts`. */
  rollouts?: unknown;
  [field: string]: unknown;
}
