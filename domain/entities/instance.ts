/** An instance: the API, the queries and the dashboard derive from this schema. */
import * as z from "zod";
import { environments } from "../environment.ts";
import { plans } from "../plans/plan.ts";
import { instanceStates } from "../tenants/instance-state.ts";
import { instant, managed, named, timestamps } from "./entity.ts";
import { image, workerBundle } from "./image.ts";
import { job } from "./job.ts";

/** The version that an instance should run, and the one that it reports. */
export const instanceVersion = z.object({
  /** Null: the platform's image. */
  image: image.pick({ id: true, reference: true, gateway: true, gateway_version: true }).nullable(),
  /** Null: the Worker of the automation service, or for Git that of the checkout. */
  worker: workerBundle.pick({ id: true, content_hash: true, release: true }).nullable(),
  /** Whether rollouts skip it. */
  pinned: z.boolean(),
  /** Null until it reports. */
  reported: z
    .object({
      gateway: z.string().nullable(),
      gateway_version: z.string().nullable(),
      /** Content hash of its Worker. */
      worker: z.string().nullable(),
      /** When it first reported this. */
      at: instant,
    })
    .nullable(),
  /** Whether it runs the version that it should; null if that is unknown. */
  as_wanted: z.boolean().nullable(),
  /** The next change that its administrators were notified of. */
  maintenance: z.object({ rollout_id: z.uuid(), from: instant }).nullable(),
});

export const instance = z.object({
  id: z.uuid(),
  client: named,
  environment: z.enum(environments),
  status: z.enum(instanceStates),
  /** Reason for the status; null if none was given. */
  state_cause: z.string().nullable(),
  /** Until when a transient status may last. */
  state_deadline: instant.nullable(),
  /** Number of operations that were started on it. */
  generation: z.number().int(),
  managed_by: managed.managed_by,
  billing_plan: z.enum(plans),
  worker_name: z.string(),
  /** `pool_id` is null for a gateway outside the pool. */
  ai_gateway: z.object({ id: z.string(), pool_id: z.uuid().nullable() }).nullable(),
  runs: instanceVersion,
  /** The newest job that has not ended. */
  job: job.nullable(),
  ...timestamps,
  version: z.number().int(),
});
