import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { CircleCheck } from "lucide-react";
import { incidentRoutes } from "#workers/contracts/api/tenants/incidents.ts";
import { readPages } from "#workers/dashboard/ui/api/queries.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Page } from "#workers/dashboard/ui/kit/layout/page.tsx";
import { ViewSwitch } from "#workers/dashboard/ui/kit/layout/view-switch.tsx";
import { Empty } from "#workers/dashboard/ui/kit/states.tsx";
import { EntryPages } from "../entry-pages.tsx";
import { type IncidentView, incidentViews } from "../search.ts";
import { IncidentEntry } from "./incident-entry.tsx";

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
              <Empty title="No open incidents">
                <CircleCheck aria-hidden="true" className="mx-auto size-6 text-good" />
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
