import type { Kysely } from "kysely";
import { acknowledgeIncident, findIncident, listIncidents } from "#database/health/incidents.ts";
import type { DB } from "#database/types.ts";
import { bodyOf } from "#domain/entities/entity.ts";
import { incident } from "#domain/entities/incident.ts";
import type { Environment } from "#domain/environment.ts";
import { versionErrors } from "#domain/errors/api/versions.ts";
import type { incidentRoutes } from "#workers/contracts/api/tenants/incidents.ts";
import { pageOf } from "../../http/cursors.ts";
import { requireFound } from "../../http/failure.tsx";
import type { Handlers } from "../../http/serve.ts";

const requireIncident = async (db: Kysely<DB>, environment: Environment, id: string) =>
  requireFound(await findIncident(db, environment, id), versionErrors.incident_not_found);

export const incidentHandlers: Handlers<typeof incidentRoutes> = {
  async listIncidents({ db, settings, query }) {
    const { open, instance_id: instanceId } = query;
    return pageOf(query, (page) => listIncidents(db, settings.ENVIRONMENT, { ...page, open, instanceId }), {
      body: (row) => bodyOf(incident, row),
      placeOf: ({ opened_text, id }) => [opened_text, id],
    });
  },

  async acknowledgeIncident({ db, settings, params, caller }) {
    const { id } = await requireIncident(db, settings.ENVIRONMENT, params.id);
    await acknowledgeIncident(db, id, caller.email);
    return bodyOf(incident, await requireIncident(db, settings.ENVIRONMENT, id));
  },
};
