import { type Kysely, sql } from "kysely";
import type { JobKind } from "#domain/entities/job.ts";
import type { DB } from "../types.ts";

export interface JobRequest {
  kind: JobKind;
  clientId: string;
  instanceId: string;
  slug: string;
  /** Generation of the instance. Default: any. */
  generation?: string | number;
  /** E-mail address of the user, or name of the process. */
  requestedBy: string;
  /** Default: an empty object. */
  payload?: object;
  /** Deadline in hours. Default: 1. */
  hours?: number;
  /** Default: the caller's. */
  environment?: string;
}

export async function requestJob(db: Kysely<DB>, request: JobRequest): Promise<string> {
  const { kind, clientId, instanceId, slug, generation, requestedBy, payload, hours, environment } = request;
  const { id } = await db
    .insertInto("tenantry.jobs")
    .values({
      kind,
      slug,
      client_id: clientId,
      instance_id: instanceId,
      requested_by: requestedBy,
      ...(generation !== undefined && { generation }),
      ...(payload !== undefined && { payload: JSON.stringify(payload) }),
      ...(environment !== undefined && { environment }),
      ...(hours !== undefined && { deadline: sql<Date>`now() + make_interval(hours => ${hours})` }),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}
