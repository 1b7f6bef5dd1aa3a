/** Rows that a request refers to. Each function throws a Failure `not_found` if the caller has no such row. */
import type { Kysely } from "kysely";
import { lockClient } from "#database/tenants/client-changes.ts";
import { findClient, type ListedClient } from "#database/tenants/clients.ts";
import { findInstance, type KnownInstance, lockInstance } from "#database/tenants/instances.ts";
import type { DB } from "#database/types.ts";
import { findJob, type ListedJob } from "#database/work/job-list.ts";
import type { Environment } from "#domain/environment.ts";
import { clientErrors } from "#domain/errors/api/clients.ts";
import { instanceErrors } from "#domain/errors/api/instances.ts";
import { jobErrors } from "#domain/errors/api/jobs.ts";
import { requireFound } from "../http/failure.tsx";

export const requireClient = async (db: Kysely<DB>, environment: Environment, id: string): Promise<ListedClient> =>
  requireFound(await findClient(db, environment, id), clientErrors.client_not_found);

export const requireInstance = async (db: Kysely<DB>, environment: Environment, id: string): Promise<KnownInstance> =>
  requireFound(await findInstance(db, environment, { id }), instanceErrors.instance_not_found);

/** Locks an instance until the transaction ends. The client is locked first, in the same order as elsewhere. */
export async function lockedInstance(db: Kysely<DB>, environment: Environment, id: string): Promise<KnownInstance> {
  const { client } = await requireInstance(db, environment, id);
  await lockClient(db, client.id);
  await lockInstance(db, id);
  return requireInstance(db, environment, id);
}

export const requireJob = async (db: Kysely<DB>, environment: Environment, id: string): Promise<ListedJob> =>
  requireFound(await findJob(db, environment, id), jobErrors.job_not_found);
