import { type Incident, incidentRoutes } from "#workers/contracts/api/tenants/incidents.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { Notice } from "#workers/dashboard/ui/kit/notice.tsx";
import { Fault } from "#workers/dashboard/ui/kit/states.tsx";
import { Ago } from "#workers/dashboard/ui/kit/time.tsx";
import { incidentName } from "../../operations/incidents/incident-names.ts";

export const IncidentNotices = ({ incidents }: { incidents: readonly Incident[] }) =>
  incidents.map((incident) => <IncidentNotice key={incident.id} incident={incident} />);

function IncidentNotice({ incident: { id, kind, cause, remedy, opened_at, acknowledged } }: { incident: Incident }) {
  const change = useChange(incidentRoutes.acknowledgeIncident, { also: ["instance health"] });
  return (
    <Notice
      tone="bad"
      title={incidentName(kind)}
      actions={
        acknowledged === null ? (
          <Button small busy={change.isPending} onClick={() => change.mutate({ params: { id } })}>
            Acknowledge
          </Button>
        ) : null
      }
    >
      <p>
        {cause} {remedy}
      </p>
      <p className="text-xs text-quiet">
        Since <Ago at={opened_at} long />
        {acknowledged === null ? "" : `, acknowledged by ${acknowledged.by}`}
      </p>
      <Fault error={change.error} />
    </Notice>
  );
}
