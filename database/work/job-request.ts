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
  /** Deadline in hours after the start. Default: 1. */
  hours?: number;
  /** Start at the earliest. Default: at once. */
  notBefore?: Date | undefined;
  /** Default: the caller's. */
  environment?: string;
}

export async function requestJob(db: Kysely<DB>, request: JobRequest): Promise<string> {
  const { kind, clientId, instanceId, slug, generation, requestedBy, payload, hours, notBefore, environment } = request;
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
      ...(notBefore !== undefined && { not_before: notBefore }),
      ...(hours !== undefined && {
        deadline: sql<Date>`greatest(now(), ${notBefore ?? null}::timestamptz) + make_interval(hours => ${hours})`,
      }),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}
