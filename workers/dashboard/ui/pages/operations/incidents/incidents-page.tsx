import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Check, CircleCheck } from "lucide-react";
import { type Incident, incidentRoutes } from "#workers/contracts/api/tenants/incidents.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { readPages } from "#workers/dashboard/ui/api/queries.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { clientAddress } from "#workers/dashboard/ui/kit/addresses.ts";
import { Badge } from "#workers/dashboard/ui/kit/badge.tsx";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Page } from "#workers/dashboard/ui/kit/layout/page.tsx";
import { ViewSwitch } from "#workers/dashboard/ui/kit/layout/view-switch.tsx";
import { Empty, Fault } from "#workers/dashboard/ui/kit/states.tsx";
import { TextLink } from "#workers/dashboard/ui/kit/text-link.tsx";
import { Ago } from "#workers/dashboard/ui/kit/time.tsx";
import { EntryPages } from "../entry-pages.tsx";
import { type IncidentView, incidentViews } from "../search.ts";
import { incidentName } from "./incident-names.ts";

const route = getRouteApi("/shell/operations/incidents");
const OPEN: Readonly<Record<IncidentView, "true" | "false" | undefined>> = {
  open: "true",
  over: "false",
  all: undefined,
};
const NAMES: Readonly<Record<IncidentView, string>> = { open: "Open", over: "Resolved", all: "All" };

export default function IncidentsPage() {
  const { show = "open" } = route.useSearch();
  const incidents = useInfiniteQuery(readPages(incidentRoutes.listIncidents, { query: { open: OPEN[show] } }));
  return (
    <Page
      title="Incidents"
      about="Persistent problems of tenants. An incident is resolved automatically when the tenant recovers."
      actions={
        <ViewSwitch
          label="View"
          to="/operations/incidents"
          views={incidentViews.map((view) => ({ name: NAMES[view], search: { show: view }, current: view === show }))}
        />
      }
    >
      <Card flush>
        <EntryPages
          label="Incidents"
          query={incidents}
          idOf={({ id }) => id}
          empty={
            show === "open" ? (
              <Empty title="No open incidents" icon={<CircleCheck aria-hidden="true" className="size-6 text-good" />}>
                An incident opens when a problem of a tenant persists.
              </Empty>
            ) : (
              <Empty title="No incidents">Incidents stay listed after they are resolved.</Empty>
            )
          }
        >
          {(incident) => <IncidentEntry incident={incident} />}
        </EntryPages>
      </Card>
    </Page>
  );
}

function IncidentEntry({ incident }: { incident: Incident }) {
  const { id, client, kind, cause, remedy, opened_at, closed_at } = incident;
  const { user } = useViewer();
  const acknowledge = useChange(incidentRoutes.acknowledgeIncident);
  // Optimistic: a failure loses nothing, and the first user to acknowledge stays named.
  const acknowledged = incident.acknowledged ?? (acknowledge.isPending ? { by: user.email, at: null } : null);
  return (
    <article aria-label={`${incidentName(kind)}: ${client.slug}`} className="flex flex-col gap-2 px-4 py-3.5">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={closed_at === null ? "bad" : "quiet"}>{closed_at === null ? "Open" : "Resolved"}</Badge>
        <h2 className="font-medium">{incidentName(kind)}</h2>
        <TextLink to={clientAddress(client.id)}>{client.slug}</TextLink>
        <span className="text-[0.8125rem] text-quiet">
          Opened <Ago at={opened_at} />
          {closed_at === null ? null : (
            <>
              , resolved <Ago at={closed_at} />
            </>
          )}
        </span>
        <span className="flex-1" />
        {acknowledged === null && closed_at === null ? (
          <Button
            small
            aria-label={`Acknowledge: ${incidentName(kind)}, ${client.slug}`}
            onClick={() => acknowledge.mutate({ params: { id } })}
          >
            <Check aria-hidden="true" /> Acknowledge
          </Button>
        ) : null}
        {acknowledged === null ? null : (
          <span className="text-[0.8125rem] text-quiet">
            Acknowledged by {acknowledged.by} {acknowledged.at === null ? null : <Ago at={acknowledged.at} />}
          </span>
        )}
      </header>
      <p className="break-words">{cause}</p>
      <p className="max-w-4xl text-[0.8125rem] break-words text-soft">
        <span className="font-medium">What to do:</span> {remedy}
      </p>
      <Fault error={acknowledge.error} />
    </article>
  );
}
