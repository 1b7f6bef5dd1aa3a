/** Asking for an operation on an instance: its row, by which the queue gets it too. */
import { type Insertable, type Kysely, sql } from "kysely";
import type { JobKind } from "#domain/entities/job.ts";
import type { DB } from "../types.ts";

export interface JobRequest {
  kind: JobKind;
  clientId: string;
  instanceId: string;
  slug: string;
  /** Of the instance, that the work is for. Default: of any. */
  generation?: string | number;
  /** E-mail address, or what else asks. */
  requestedBy: string;
  /** Default: an empty object. */
  payload?: object;
  /** For how long it may be under way, in hours. Default: one. */
  hours?: number;
  /** Default: the caller's. */
  environment?: string;
}

/** @returns the job's id */
export async function requestJob(db: Kysely<DB>, request: JobRequest): Promise<string> {
  const { kind, clientId, instanceId, slug, generation, requestedBy, payload, hours, environment } = request;
  const values: Insertable<DB["tenantry.jobs"]> = {
    kind,
    slug,
    client_id: clientId,
    instance_id: instanceId,
    requested_by: requestedBy,
    ...(generation !== undefined && { generation }),
    ...(payload !== undefined && { payload: JSON.stringify(payload) }),
    ...(environment !== undefined && { environment }),
  };
  const { id } = await db
    .insertInto("tenantry.jobs")
    .values({
      ...values,
      ...(hours !== undefined && { deadline: sql<Date>`now() + make_interval(hours => ${hours})` }),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}
