/** Incidents by polling: opened after five minutes without life, closed by themselves, each told once. */
import { type Kysely, sql } from "kysely";
import { closeIncident, closeUnpolled, openIncident } from "../../database/health/incidents.ts";
import type { PolledInstance } from "../../database/health/polled-instances.ts";
import type { DB } from "../../database/types.ts";
import type { Environment } from "../../domain/environment.ts";

/** Kind of the incident of a gateway that lives no more. */
export const GATEWAY_DEAD = "gateway_dead";

const REMEDY =
  "Restart its gateway (POST /client/instance/:instance_id/restart) and read its log. If it stays dead, deploy its Worker again; if many are dead at once, look at Cloudflare's status and the dispatch Worker's log.";

/** Follows what a look means. @param why what the probes told */
export async function followLife(
  db: Kysely<DB>,
  instance: PolledInstance,
  life: "alive" | "dead" | "waiting",
  why: string,
): Promise<void> {
  if (life === "waiting") return;
  await db.transaction().execute(async (transaction) => {
    if (life === "alive") {
      if (await closeIncident(transaction, instance.id, GATEWAY_DEAD)) await tell(transaction, instance, "closed");
      return;
    }
    const cause = `The gateway has not been alive for five minutes: ${why}`;
    const opened = { instanceId: instance.id, kind: GATEWAY_DEAD, cause, remedy: REMEDY };
    if (await openIncident(transaction, opened)) await tell(transaction, instance, "opened");
  });
}

/** Closes those of instances that are polled no more, whose silence is right. */
export async function closeThoseNotPolled(db: Kysely<DB>, environment: Environment): Promise<number> {
  return (await closeUnpolled(db, environment, GATEWAY_DEAD)).length;
}

async function tell(db: Kysely<DB>, { id, clientId }: PolledInstance, what: "opened" | "closed"): Promise<void> {
  const data = JSON.stringify({ instance_id: id, kind: GATEWAY_DEAD });
  await sql`insert into tenantry.events (client_id, kind, data) values (${clientId}, ${`incident.${what}`}, ${data}::jsonb)`.execute(
    db,
  );
}
