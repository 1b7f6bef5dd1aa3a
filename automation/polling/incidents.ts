/** Incidents by polling: opened after five minutes without life, closed by themselves, each told once. */
import type { Kysely } from "kysely";
import { closeIncident, closeUnpolled, openIncident } from "#database/health/incidents.ts";
import type { PolledInstance } from "#database/health/polled-instances.ts";
import type { DB } from "#database/types.ts";
import type { Environment } from "#domain/environment.ts";

/** Kind of the incident of a gateway that lives no more. */
export const GATEWAY_DEAD = "gateway_dead";

const REMEDY =
  "Restart its gateway (POST /client/instance/:instance_id/restart) and read its log. If it stays dead, deploy its Worker again; if many are dead at once, look at Cloudflare's status and the dispatch Worker's log.";

/** Follows what a look means. @param why what the probes told */
export async function followLife(
  db: Kysely<DB>,
  { id }: PolledInstance,
  life: "alive" | "dead" | "waiting",
  why: string,
): Promise<void> {
  if (life === "alive") return closeIncident(db, id, GATEWAY_DEAD);
  if (life === "waiting") return;
  const cause = `The gateway has not been alive for five minutes: ${why}`;
  await openIncident(db, { instanceId: id, kind: GATEWAY_DEAD, cause, remedy: REMEDY });
}

/** Closes those of instances that are polled no more, whose silence is right. */
export const closeThoseNotPolled = (db: Kysely<DB>, environment: Environment): Promise<void> =>
  closeUnpolled(db, environment, GATEWAY_DEAD);
