import { useQuery } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { gateRefusal } from "#domain/tenants/instance-state.ts";
import type { Instance } from "#workers/contracts/api/instances/instances.ts";
import { jobRoutes } from "#workers/contracts/api/jobs.ts";
import type { Client } from "#workers/contracts/api/tenants/clients.ts";
import { apiQuery } from "../../api/queries.ts";
import { Page, type PageProps } from "../../kit/layout/page.tsx";
import { InstanceBadge } from "../../kit/state-badge.tsx";
import { ClientTabs } from "../clients/detail/client-tabs.tsx";
import { InstanceActions } from "./actions/instance-actions.tsx";
import { BackupsCard } from "./backups/backups-card.tsx";
import { FactsCard } from "./facts/facts-card.tsx";
import { DraftNotice, GitNotice, IncidentNotices, MaintenanceNotice, StateNotice } from "./facts/notices.tsx";
import { VersionsCard } from "./facts/versions-card.tsx";
import { HealthCard } from "./health/health-card.tsx";
import { SleepCard } from "./health/sleep-card.tsx";
import { TimelineCard } from "./health/timeline-card.tsx";
import { useHealth, useTenantAddress } from "./health/use-health.ts";
import { JobCard } from "./job-card.tsx";
import { LogCard } from "./log-card.tsx";

export type InstanceHeader = Pick<PageProps, "title" | "tabTitle" | "crumbs">;

interface InstanceViewProps {
  header: InstanceHeader;
  client: Client;
  instance: Instance;
}

export function InstanceView({ header, client, instance }: InstanceViewProps) {
  const health = useHealth(instance, client.status);
  const address = useTenantAddress(instance);
  const jobs = useQuery(apiQuery(jobRoutes.listJobs, { query: { instance_id: instance.id, limit: 1 } }));
  const job = instance.job ?? jobs.data?.data[0];
  const isProminent = job !== undefined && job.status !== "succeeded";
  const isProvisioned = instance.status !== "provisioning";
  // The instance's cause contains the job's, so only one of them is shown.
  const isExplained =
    job?.status === "failed" && job.cause !== null && instance.state_cause?.includes(job.cause) === true;
  const isCoveredByJob = isExplained || (instance.status === "provisioning" && instance.job !== null);
  const jobCard =
    job === undefined ? null : (
      <JobCard key={job.id} job={job} cause={isExplained ? (instance.state_cause ?? undefined) : undefined} />
    );
  const gate = gateRefusal(instance.environment, client.status, instance.status);
  const canSleep = instance.status !== "frozen" && instance.status !== "stopped";
  return (
    <Page
      {...header}
      beside={<InstanceBadge state={instance.status} />}
      about={
        <a href={address.href} target="_blank" rel="noreferrer" className="inline-flex items-center gap-1 break-all">
          {address.host}
          <ExternalLink aria-hidden="true" className="size-3.5" />
          <span className="sr-only">(opens in a new tab)</span>
        </a>
      }
      actions={<InstanceActions instance={instance} client={client} />}
    >
      <ClientTabs client={client} />
      {gate === "client_not_active" ? <DraftNotice client={client} /> : null}
      {isCoveredByJob ? null : <StateNotice instance={instance} client={client} job={job} />}
      {instance.managed_by === "git" ? <GitNotice instance={instance} /> : null}
      <MaintenanceNotice runs={instance.runs} />
      <IncidentNotices incidents={health.read.data?.incidents ?? []} />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,2fr)_minmax(18rem,1fr)]">
        <div className="flex min-w-0 flex-col gap-5">
          {isProminent ? jobCard : null}
          <HealthCard instance={instance} health={health} />
          <TimelineCard instance={instance} health={health} />
          {isProvisioned ? <BackupsCard instance={instance} /> : null}
          {isProvisioned ? <LogCard instance={instance} /> : null}
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          {canSleep ? <SleepCard instance={instance} health={health} /> : null}
          <FactsCard instance={instance} />
          <VersionsCard instance={instance} />
          {isProminent ? null : jobCard}
        </div>
      </div>
    </Page>
  );
}
