import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import type { Instance } from "#workers/contracts/api/instances/instances.ts";
import { clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { useIsReadOnly, useTenant, useViewer } from "#workers/dashboard/ui/api/session.ts";
import { Badge } from "#workers/dashboard/ui/kit/badge.tsx";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { Card, Facts, type FactsProps, factEntry } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Page } from "#workers/dashboard/ui/kit/layout/page.tsx";
import { Loading, QueryFault } from "#workers/dashboard/ui/kit/states.tsx";
import { Ago, Moment, useNow } from "#workers/dashboard/ui/kit/time.tsx";
import { WindowFacts } from "#workers/dashboard/ui/pages/clients/detail/window-facts.tsx";
import { IncidentNotices } from "#workers/dashboard/ui/pages/instance/facts/notices.tsx";
import { AvailabilityCard } from "#workers/dashboard/ui/pages/instance/health/availability-card.tsx";
import { HealthCard } from "#workers/dashboard/ui/pages/instance/health/health-card.tsx";
import { TimelineCard } from "#workers/dashboard/ui/pages/instance/health/timeline-card.tsx";
import { type Health, useHealth } from "#workers/dashboard/ui/pages/instance/health/use-health.ts";
import { OwnDeletionNotice } from "../../deletion-notice.tsx";
import { JobNotice, useJobEnd } from "../../job-notice.tsx";
import { useInstance } from "../../tenant-page.tsx";
import { HomeActions } from "./home-actions.tsx";
import { stateInWords, stateSince } from "./state-in-words.ts";

const WindowDialog = lazy(() => import("./window-dialog.tsx"));

export default function Home() {
  const { client } = useTenant();
  const query = useInstance();
  useJobEnd(query.data);
  if (query.data !== undefined) return <WithInstance instance={query.data} />;
  return (
    <Page title={client.name}>
      <Card>{query.error === null ? <Loading lines={6} /> : <QueryFault query={query} />}</Card>
    </Page>
  );
}

function WithInstance({ instance }: { instance: Instance }) {
  const { user } = useViewer();
  const { client } = useTenant();
  const health = useHealth(instance);
  const isReadOnly = useIsReadOnly();
  const isAdmin = user.role === "ADMIN";
  const isAsleep = health.read.data?.sandbox?.state === "asleep";
  return (
    <Page
      title={client.name}
      actions={isReadOnly ? undefined : <HomeActions instance={instance} isAsleep={isAsleep} isAdmin={isAdmin} />}
    >
      {isAdmin ? <OwnDeletionNotice /> : null}
      <JobNotice job={instance.job} />
      <IncidentNotices incidents={health.read.data?.incidents ?? []} />
      <StateCard instance={instance} health={health} isAdmin={isAdmin} />
      <HealthCard instance={instance} health={health} />
      <TimelineCard instance={instance} health={health} />
      <AvailabilityCard instanceId={instance.id} />
    </Page>
  );
}

interface StateCardProps {
  instance: Instance;
  health: Health;
  isAdmin: boolean;
}

function StateCard({ instance, health, isAdmin }: StateCardProps) {
  const now = useNow();
  const { state, tone, why } = stateInWords(instance, health);
  const since = stateSince(health, now);
  const { maintenance } = instance.runs;
  const facts: FactsProps["facts"] = [
    factEntry("State", <Badge tone={tone}>{state}</Badge>),
    ...(since === undefined ? [] : [factEntry("Since", <Ago at={new Date(since).toISOString()} long />)]),
    factEntry("Why", why),
    ...versionFacts(instance),
    factEntry(
      "Next maintenance",
      maintenance === null ? (
        "None planned"
      ) : (
        <>
          <Moment at={maintenance.from} />: the agent changes to another version and restarts, usually within minutes.
          Its state is backed up first.
        </>
      ),
    ),
  ];
  return (
    <Card title="Your agent">
      <Facts facts={isAdmin ? [...facts, factEntry("Maintenance window", <Window />)] : facts} />
    </Card>
  );
}

function versionFacts({ runs: { reported, pinned } }: Instance): FactsProps["facts"] {
  const version = reported?.gateway_version;
  if (!version) return [];
  return [factEntry("Version", `${reported?.gateway ?? ""} ${version}${pinned ? ", pinned" : ""}`.trim())];
}

function Window() {
  const query = useQuery(apiQuery(clientRoutes.getClient, { params: { client_id: useTenant().client.id } }));
  const [isOpen, setOpen] = useState(false);
  const { data: client } = query;
  if (client === undefined) return null;
  return (
    <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
      <span>
        <WindowFacts window={client.maintenance_window} />
      </span>
      {client.managed_by === "git" ? null : (
        <Button small onClick={() => setOpen(true)}>
          Change window
        </Button>
      )}
      {isOpen ? (
        <Suspense>
          <WindowDialog client={client} onClose={() => setOpen(false)} onReload={query.refetch} />
        </Suspense>
      ) : null}
    </div>
  );
}
