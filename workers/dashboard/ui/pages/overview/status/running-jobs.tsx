import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { jobRoutes } from "#workers/contracts/api/jobs.ts";
import { read } from "#workers/dashboard/ui/api/queries.ts";
import { jobAddress } from "#workers/dashboard/ui/kit/addresses.ts";
import { Progress } from "#workers/dashboard/ui/kit/chart/meter.tsx";
import { jobNames } from "../../operations/jobs/job-names.ts";
import { StatusCard } from "./status-card.tsx";

const SHOWN = 3;

export function RunningJobs() {
  const jobs = useQuery(read(jobRoutes.listJobs, { query: { status: "running", limit: SHOWN + 1 } }));
  return (
    <StatusCard title="Running jobs" to="/operations/jobs" more="Show all jobs" query={jobs}>
      {({ data }) =>
        data.length === 0 ? (
          <p className="text-quiet">No running jobs</p>
        ) : (
          <ul className="flex flex-col gap-2">
            {data.slice(0, SHOWN).map(({ id, kind, slug, progress }) => (
              <li key={id} className="relative">
                <Progress label={`${jobNames[kind]}: ${slug}`} value={progress === 0 ? null : progress} />
                <Link
                  to={jobAddress(id)}
                  aria-label={`${jobNames[kind]} of ${slug}: details`}
                  className="absolute inset-0 rounded-sm"
                />
              </li>
            ))}
            {data.length > SHOWN ? <li className="text-quiet">More…</li> : null}
          </ul>
        )
      }
    </StatusCard>
  );
}
