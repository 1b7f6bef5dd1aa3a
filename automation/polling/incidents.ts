import type { Kysely } from "kysely";
import { closeIncident, openIncident } from "#database/health/incidents.ts";
import type { PolledInstance } from "#database/health/polled-instances.ts";
import type { DB } from "#database/types.ts";
import type { Consequence } from "./transitions.ts";

export const GATEWAY_DEAD = "gateway_dead";

const REMEDY =
  "Restart its gateway (POST /client/instance/:instance_id/restart) and read its log. If the restart does not help, redeploy its Worker. If many gateways are dead, check Cloudflare's status and the dispatch Worker's log.";

/** Opens or closes the incident of an instance. @param why what the probe reported */
export async function followLife(
  db: Kysely<DB>,
  { id }: PolledInstance,
  life: Consequence["life"],
  why: string,
): Promise<void> {
  if (life === "alive") return closeIncident(db, id, GATEWAY_DEAD);
  if (life === "waiting") return;
  const cause = `The gateway has not been alive for five minutes: ${why}`;
  await openIncident(db, { instanceId: id, kind: GATEWAY_DEAD, cause, remedy: REMEDY });
}
