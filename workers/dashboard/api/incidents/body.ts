import type { ListedIncident } from "#database/health/incidents.ts";
import type { Incident } from "#workers/contracts/api/tenants/incidents.ts";

/** An incident as the API shows it. */
export function incidentBody(incident: ListedIncident): Incident {
  const { id, instanceId, client, kind, cause, remedy, openedAt, acknowledged, closedAt } = incident;
  return {
    id,
    instance_id: instanceId,
    client,
    kind,
    cause,
    remedy,
    opened_at: openedAt.toISOString(),
    acknowledged: acknowledged && { at: acknowledged.at.toISOString(), by: acknowledged.by },
    closed_at: closedAt?.toISOString() ?? null,
  };
}
