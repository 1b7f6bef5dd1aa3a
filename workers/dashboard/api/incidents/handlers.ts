/** What the routes of incidents do. */
import type { Kysely } from "kysely";
import { acknowledgeIncident, findIncident, type ListedIncident, listIncidents } from "#database/health/incidents.ts";
import type { DB } from "#database/types.ts";
import type { Environment } from "#domain/environment.ts";
import type { incidentRoutes } from "#workers/contracts/api/tenants/incidents.ts";
import { pageOf, placeAfter } from "../../http/cursors.ts";
import { Failure } from "../../http/failure.tsx";
import type { Handlers } from "../../http/serve.ts";
import { incidentBody } from "./body.ts";

/** @throws Failure `not_found` for one that is not there, or not for the caller */
async function requireIncident(db: Kysely<DB>, environment: Environment, id: string): Promise<ListedIncident> {
  const found = await findIncident(db, environment, id);
  if (found === undefined) throw new Failure("not_found", "There is no such incident.");
  return found;
}

export const incidentHandlers: Handlers<typeof incidentRoutes> = {
  async listIncidents({ db, settings, query }) {
    const { open, instance_id: instanceId } = query;
    const options = { limit: query.limit + 1, after: placeAfter(query.after), open, instanceId };
    const found = await listIncidents(db, settings.ENVIRONMENT, options);
    return pageOf(found, {
      limit: query.limit,
      body: incidentBody,
      placeOf: (incident) => [incident.openedText, incident.id],
    });
  },

  async acknowledgeIncident({ db, settings, params, caller }) {
    const { id } = await requireIncident(db, settings.ENVIRONMENT, params.id);
    await acknowledgeIncident(db, id, caller.email);
    return incidentBody(await requireIncident(db, settings.ENVIRONMENT, id));
  },
};
