import { type Kysely, sql } from "kysely";
import * as z from "zod";
import { rowOf } from "#domain/entities/entity.ts";
import { type JobKind, type JobState, job } from "#domain/entities/job.ts";
import type { Environment } from "#domain/environment.ts";
import { type Page, selectPage } from "../cursor.ts";
import type { DB } from "../types.ts";

const row = rowOf(
  job.omit({ rollout_id: true, backup_id: true }).extend({
    payload: z.unknown(),
    /** `created_at` as PostgreSQL writes it, for cursors. */
    created_text: z.string(),
  }),
);
export type ListedJob = z.infer<typeof row>;

interface JobFilter {
  status?: JobState | undefined;
  kind?: JobKind | undefined;
  clientId?: string | undefined;
  instanceId?: string | undefined;
}

const ORDER = { column: "created_at", direction: "desc" } as const;

function selectJobs(db: Kysely<DB>, environment: Environment) {
  return db
    .selectFrom("tenantry.jobs as j")
    .select(["j.id", "j.kind", "j.status", "j.client_id", "j.instance_id", "j.slug", "j.generation", "j.payload"])
    .select(["j.cause", "j.attempts", "j.progress", "j.requested_by", "j.created_at", "j.started_at"])
    .select(["j.ended_at", "j.deadline", "j.not_before"])
    .select((e) =>
      e
        .selectFrom("tenantry.jobs as later")
        .select("later.id")
        .whereRef("later.client_id", "=", "j.client_id")
        .whereRef("later.kind", "=", "j.kind")
        .whereRef("later.created_at", ">", "j.created_at")
        .orderBy("later.created_at", "desc")
        .limit(1)
        .as("followed_by"),
    )
    .select(sql<string>`j.created_at::text`.as("created_text"))
    .where("j.environment", "=", environment);
}

export async function findJob(db: Kysely<DB>, environment: Environment, id: string): Promise<ListedJob | undefined> {
  const found = await selectJobs(db, environment).where("j.id", "=", id).executeTakeFirst();
  return found && row.parse(found);
}

export async function openJob(
  db: Kysely<DB>,
  environment: Environment,
  instanceId: string,
  kind?: JobKind,
): Promise<ListedJob | undefined> {
  let query = selectJobs(db, environment)
    .where("j.instance_id", "=", instanceId)
    .where("j.ended_at", "is", null)
    .orderBy("j.created_at", "desc")
    .limit(1);
  if (kind !== undefined) query = query.where("j.kind", "=", kind);
  const found = await query.executeTakeFirst();
  return found && row.parse(found);
}

/** Returns a page of the jobs that the caller sees, newest first. */
export async function listJobs(
  db: Kysely<DB>,
  environment: Environment,
  page: Page & { filter?: JobFilter },
): Promise<ListedJob[]> {
  const { filter = {} } = page;
  let query = selectPage(selectJobs(db, environment), { table: "j", order: ORDER, type: "timestamptz" }, page);
  if (filter.status !== undefined) query = query.where("j.status", "=", filter.status);
  if (filter.kind !== undefined) query = query.where("j.kind", "=", filter.kind);
  if (filter.clientId !== undefined) query = query.where("j.client_id", "=", filter.clientId);
  if (filter.instanceId !== undefined) query = query.where("j.instance_id", "=", filter.instanceId);
  return (await query.execute()).map((found) => row.parse(found));
}

export interface JobEvent {
  id: number;
  at: Date;
  kind: string;
  message: string;
  data: unknown;
}

export async function listJobEvents(db: Kysely<DB>, jobId: string, limit: number): Promise<JobEvent[]> {
  const found = await db
    .selectFrom("tenantry.job_events")
    .select(["id", "at", "kind", "message", "data"])
    .where("job_id", "=", jobId)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return found.toReversed().map((event) => ({ ...event, id: Number(event.id) }));
}

/** Cancels a queued job. @returns whether the caller sees one */
export async function cancelJob(db: Kysely<DB>, id: string): Promise<boolean> {
  const { rows } = await sql<{ cancelled: boolean }>`select tenantry.cancel_job(${id}::uuid) as cancelled`.execute(db);
  return rows[0]?.cancelled === true;
}
