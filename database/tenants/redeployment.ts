/** Redeployments of all tenants of the dashboard, by jobs of the automation service. */
import type { Kysely } from "kysely";
import type { Environment } from "#domain/environment.ts";
import type { DB } from "../types.ts";
import { requestJob } from "../work/job-request.ts";

/** Deadline of the last job, in hours. */
const HOURS = 24;

export interface Redeployment {
  id: string;
  slug: string;
  isEnded: boolean;
  cause: string | null;
}

/** @param reason such as a rotated secret; jobs that users request run before these @returns the jobs' ids */
export async function requestRedeployments(
  db: Kysely<DB>,
  environment: Environment,
  { requestedBy, reason }: { requestedBy: string; reason: string },
): Promise<string[]> {
  return db.transaction().execute(async (tx) => {
    const tenants = await tx
      .selectFrom("tenantry.instances as i")
      .innerJoin("tenantry.clients as c", "c.id", "i.client_id")
      .select(["c.id as clientId", "i.id as instanceId", "c.slug"])
      .where("c.environment", "=", environment)
      .where("i.managed_by", "=", "dashboard")
      .where("i.status", "in", ["provisioning", "running", "frozen"])
      .orderBy("c.slug")
      .execute();
    const ids: string[] = [];
    for (const tenant of tenants) {
      const payload = { background: reason };
      ids.push(await requestJob(tx, { kind: "redeploy", ...tenant, requestedBy, payload, hours: HOURS, environment }));
    }
    return ids;
  });
}

export async function readRedeployments(db: Kysely<DB>, ids: readonly string[]): Promise<Redeployment[]> {
  const rows = await db
    .selectFrom("tenantry.jobs")
    .select(["id", "slug", "status", "cause", "ended_at"])
    .where("id", "in", [...ids])
    .orderBy("slug")
    .execute();
  return rows.map(({ id, slug, status, cause, ended_at }) => ({
    id,
    slug,
    isEnded: ended_at !== null,
    cause: status === "failed" ? (cause ?? "the cause is unknown") : null,
  }));
}
