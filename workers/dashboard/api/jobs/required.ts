import type { Kysely } from "kysely";
import type { DB } from "#database/types.ts";
import { findJob, type ListedJob } from "#database/work/job-list.ts";
import type { Environment } from "#domain/environment.ts";
import { Failure } from "../../http/failure.tsx";

/** @throws Failure `not_found` for one that is not there, or not for the caller */
export async function requireJob(db: Kysely<DB>, environment: Environment, id: string): Promise<ListedJob> {
  const found = await findJob(db, environment, id);
  if (found === undefined) throw new Failure("not_found", "There is no such job.");
  return found;
}
