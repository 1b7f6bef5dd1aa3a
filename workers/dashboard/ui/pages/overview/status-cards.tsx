import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck } from "lucide-react";
import type { ReactNode } from "react";
import { capacityRoutes } from "#workers/contracts/api/capacity.ts";
import { jobRoutes } from "#workers/contracts/api/jobs.ts";
import { MAX_LIMIT } from "#workers/contracts/api/paging.ts";
import { aiGatewayRoutes } from "#workers/contracts/api/tenants/ai-gateways.ts";
import { incidentRoutes } from "#workers/contracts/api/tenants/incidents.ts";
import { apiQuery } from "../../api/queries.ts";
import { useViewer } from "../../api/session.ts";
import { clientAddress, jobAddress } from "../../kit/addresses.ts";
import { Meter, Progress } from "../../kit/chart/meter.tsx";
import { formatNumber } from "../../kit/format.ts";
import { Card } from "../../kit/layout/card.tsx";
import { Loaded, Loading } from "../../kit/states.tsx";
import { Ago } from "../../kit/time.tsx";
import { capacityFormat, capacityNames } from "../operations/capacity/capacity-names.ts";
import { incidentName } from "../operations/incidents/incident-names.ts";
import { jobNames } from "../operations/jobs/job-names.ts";

interface StatusCardProps<T> {
  title: string;
  to: string;
  more: string;
  query: UseQueryResult<T, Error>;
  children: (data: T) => ReactNode;
}

function StatusCard<T>({ title, to, more, query, children }: StatusCardProps<T>) {
  return (
    <Card title={title}>
      <div className="min-h-28">
        <Loaded query={query} loading={<Loading lines={3} />}>
          {children}
        </Loaded>
      </div>
      <Link to={to} className="text-[0.8125rem] text-quiet hover:text-text">
        {more}
      </Link>
    </Card>
  );
}

const MAX_INCIDENTS = 4;

export function OpenIncidents() {
  const incidents = useQuery(
    apiQuery(incidentRoutes.listIncidents, { query: { open: "true", limit: MAX_INCIDENTS + 1 } }),
  );
  return (
    <StatusCard title="Open incidents" to="/operations/incidents" more="Show all incidents" query={incidents}>
      {({ data }) =>
        data.length === 0 ? (
          <p className="flex items-center gap-2 text-quiet">
            <CircleCheck aria-hidden="true" className="size-4 text-good" /> No open incidents
          </p>
        ) : (
          <ul className="flex flex-col gap-1.5">
            {data.slice(0, MAX_INCIDENTS).map(({ id, client, kind, opened_at }) => (
              <li key={id} className="flex items-baseline gap-2">
                <Link to={clientAddress(client.id)} className="truncate font-medium text-text">
                  {client.slug}
                </Link>
                <span className="min-w-0 flex-1 truncate text-bad">{incidentName(kind)}</span>
                <span className="text-xs text-quiet">
                  <Ago at={opened_at} />
                </span>
              </li>
            ))}
            {data.length > MAX_INCIDENTS ? <li className="text-quiet">More…</li> : null}
          </ul>
        )
      }
    </StatusCard>
  );
}

const MAX_JOBS = 3;

export function RunningJobs() {
  const jobs = useQuery(apiQuery(jobRoutes.listJobs, { query: { status: "running", limit: MAX_JOBS + 1 } }));
  return (
    <StatusCard title="Running jobs" to="/operations/jobs" more="Show all jobs" query={jobs}>
      {({ data }) =>
        data.length === 0 ? (
          <p className="text-quiet">No running jobs</p>
        ) : (
          <ul className="flex flex-col gap-2">
            {data.slice(0, MAX_JOBS).map(({ id, kind, slug, progress }) => (
              <li key={id} className="relative">
                <Progress label={`${jobNames[kind]}: ${slug}`} value={progress === 0 ? null : progress} />
                <Link
                  to={jobAddress(id)}
                  aria-label={`${jobNames[kind]} of ${slug}: details`}
                  className="absolute inset-0 rounded-sm"
                />
              </li>
            ))}
            {data.length > MAX_JOBS ? <li className="text-quiet">More…</li> : null}
          </ul>
        )
      }
    </StatusCard>
  );
}

const MAX_METERS = 2;

export function CapacityStatus() {
  const capacity = useQuery(apiQuery(capacityRoutes.getCapacity, {}));
  return (
    <StatusCard title="Account" to="/operations/capacity" more="Show capacity" query={capacity}>
      {({ data, tenants_left }) =>
        data.length === 0 ? (
          <p className="text-quiet">Not counted yet. The automation service counts every 15 minutes.</p>
        ) : (
          <div className="flex flex-col gap-2">
            {tenants_left === null ? null : (
              <p>
                <span className="text-lg font-semibold tabular-nums">{formatNumber(tenants_left)}</span>{" "}
                <span className="text-quiet">more tenants possible</span>
              </p>
            )}
            {data
              .toSorted((a, b) => b.used / b.most - a.used / a.most)
              .slice(0, MAX_METERS)
              .map(({ kind, used, most }) => (
                <Meter key={kind} label={capacityNames[kind]} value={used} max={most} format={capacityFormat(kind)} />
              ))}
          </div>
        )
      }
    </StatusCard>
  );
}

export function PoolStatus() {
  const { environment } = useViewer();
  const pool = useQuery(apiQuery(aiGatewayRoutes.listAiGateways, { query: { limit: MAX_LIMIT } }));
  return (
    <StatusCard title="AI gateways" to="/gateways" more="Show AI gateways" query={pool}>
      {({ data }) => {
        const usable = data.filter((entry) => entry.enabled && (entry.environment ?? environment) === environment);
        const most = usable.reduce((sum, { max_instances }) => sum + max_instances, 0);
        const bound = usable.reduce((sum, entry) => sum + Math.min(entry.bound, entry.max_instances), 0);
        return usable.length === 0 ? (
          <p className="text-quiet">
            No shared gateway accepts tenants. New tenants get a dedicated gateway if the platform allows it.
          </p>
        ) : (
          <div className="flex flex-col gap-2">
            <p>
              <span className="text-lg font-semibold tabular-nums">{formatNumber(most - bound)}</span>{" "}
              <span className="text-quiet">free {most - bound === 1 ? "slot" : "slots"}</span>
            </p>
            <Meter
              label={`In ${usable.length} ${usable.length === 1 ? "gateway" : "gateways"}`}
              value={bound}
              max={most}
            />
          </div>
        );
      }}
    </StatusCard>
  );
}
