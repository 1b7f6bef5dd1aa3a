import { useQuery } from "@tanstack/react-query";
import { type Instance, instanceRoutes, type Runs } from "#workers/contracts/api/instances/instances.ts";
import type { Job } from "#workers/contracts/api/jobs.ts";
import { type Client, clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { type Incident, incidentRoutes } from "#workers/contracts/api/tenants/incidents.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { CopyButton } from "#workers/dashboard/ui/kit/copy.tsx";
import { formatAgo } from "#workers/dashboard/ui/kit/format.ts";
import { ScrollRegion } from "#workers/dashboard/ui/kit/layout/scroll-region.tsx";
import { Notice } from "#workers/dashboard/ui/kit/notice.tsx";
import { Fault, Loaded, Skeleton } from "#workers/dashboard/ui/kit/states.tsx";
import { Ago, Moment, useNow } from "#workers/dashboard/ui/kit/time.tsx";
import { incidentName } from "../../operations/incidents/incident-names.ts";

const TITLES = {
  provisioning: "Instance is being provisioned",
  running: "Instance is running",
  frozen: "Instance is frozen",
  stopped: "Instance is stopped",
  error: "Instance has an error",
} as const satisfies Record<Instance["status"], string>;

interface StateNoticeProps {
  instance: Instance;
  client: Client;
  /** The newest one. */
  job: Job | undefined;
}

export function StateNotice({ instance, client, job }: StateNoticeProps) {
  const { status, state_cause, state_deadline } = instance;
  const since = sinceOf(status, job);
  if (state_cause === null && client.delete_after === null) return null;
  return (
    <Notice tone={status === "error" ? "bad" : "info"} title={TITLES[status]}>
      {state_cause === null ? null : <p>{state_cause}</p>}
      {since === null ? null : (
        <p>
          Since <Moment at={since} />.{status === "frozen" ? " Resume the instance to undo the freeze." : null}
        </p>
      )}
      {state_deadline === null ? null : (
        <p>
          Deadline: <Moment at={state_deadline} />. After it, the instance goes to the error state.
        </p>
      )}
      {client.delete_after === null ? null : (
        <p>
          The client will be deleted on <Moment at={client.delete_after} />. Restore it to use the instance again.
        </p>
      )}
    </Notice>
  );
}

/** Returns when the job that led to the state was requested or failed; null if another job followed. */
function sinceOf(status: Instance["status"], job: Job | undefined): string | null {
  if (status === "frozen" && job?.kind === "freeze") return job.created_at;
  return status === "error" && job?.status === "failed" ? job.ended_at : null;
}

export function DraftNotice({ client: { id, name, managed_by, version } }: { client: Client }) {
  const activate = useChange(clientRoutes.updateClient, {
    also: ["instances"],
    success: `${name} activated`,
  });
  return (
    <Notice
      tone="info"
      title="The client is a draft"
      actions={
        managed_by === "dashboard" ? (
          <Button
            busy={activate.isPending}
            onClick={() => activate.mutate({ body: { id, status: "active" }, version })}
          >
            Activate client
          </Button>
        ) : undefined
      }
    >
      <p>The tenant accepts no traffic until the client is active. Billing starts then.</p>
      <Fault error={activate.error} />
    </Notice>
  );
}

export function GitNotice({ instance: { id, client, environment } }: { instance: Instance }) {
  const file = useQuery(apiQuery(instanceRoutes.getInstanceFile, { params: { instance_id: id } }));
  const of = environment === "production" ? "" : ` --environment ${environment}`;
  return (
    <Notice tone="info" title="Managed in Git">
      <Loaded query={file} loading={<Skeleton className="h-10 max-w-xl" />}>
        {({ path, text, whole }) => (
          <>
            <p>
              Change plan, AI gateway, image and token in <code className="break-all">{path}</code> and deploy the
              stack, or remove the instance there. To manage it here instead, run{" "}
              <code className="break-all">{`npm run fleet -- release ${client.slug}${of}`}</code>.
            </p>
            <details className="text-[0.8125rem]">
              <summary className="w-fit cursor-pointer font-medium">
                {whole ? "Show file" : "Show this tenant's part of the file"}
              </summary>
              <div className="mt-2 flex items-start gap-2 rounded-md border border-line bg-card p-2">
                <ScrollRegion label={path} className="min-w-0 flex-1">
                  <pre className="text-xs">{text}</pre>
                </ScrollRegion>
                <CopyButton text={text} what={path} />
              </div>
              <p className="mt-1 text-xs text-quiet">
                As stored in the database. Comments and encrypted values are only in the repository.
              </p>
            </details>
          </>
        )}
      </Loaded>
    </Notice>
  );
}

export function MaintenanceNotice({ runs: { maintenance } }: { runs: Runs }) {
  const now = useNow();
  if (maintenance === null) return null;
  const isDue = Date.parse(maintenance.from) <= now;
  return (
    <Notice tone="info" title="Maintenance scheduled">
      <p>
        From <Moment at={maintenance.from} />
        {isDue ? "" : `, ${formatAgo(maintenance.from, now, "long")},`} the instance changes to another version. Its
        state is backed up and its gateway restarts, usually within a few minutes. If the new version does not run, the
        instance returns to the current one. Its administrators have been notified.
      </p>
    </Notice>
  );
}

export const IncidentNotices = ({ incidents }: { incidents: readonly Incident[] }) =>
  incidents.map((incident) => <IncidentNotice key={incident.id} incident={incident} />);

function IncidentNotice({ incident: { id, kind, cause, remedy, opened_at, acknowledged } }: { incident: Incident }) {
  const isOperator = useViewer().tenant === null;
  const change = useChange(incidentRoutes.acknowledgeIncident, { also: ["instance health"] });
  return (
    <Notice
      tone="bad"
      title={incidentName(kind)}
      actions={
        acknowledged === null && isOperator ? (
          <Button small busy={change.isPending} onClick={() => change.mutate({ params: { id } })}>
            Acknowledge incident
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
