import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Job, jobRoutes, jobUndoings } from "#workers/contracts/api/jobs.ts";
import type { Answer } from "../../api/ask.ts";
import { apiQuery } from "../../api/queries.ts";
import { jobAddress } from "../../kit/addresses.ts";
import { Progress } from "../../kit/chart/meter.tsx";
import { Card } from "../../kit/layout/card.tsx";
import { ScrollRegion } from "../../kit/layout/scroll-region.tsx";
import { Notice } from "../../kit/notice.tsx";
import { JobBadge } from "../../kit/state-badge.tsx";
import { Fault, QueryFault, Skeleton } from "../../kit/states.tsx";
import { TextLink } from "../../kit/text-link.tsx";
import { Ago, Moment } from "../../kit/time.tsx";
import { JobActions } from "../operations/jobs/job-actions.tsx";
import { LogLines } from "../operations/jobs/job-log.tsx";
import { jobNames } from "../operations/jobs/job-names.ts";
import { StepList } from "../operations/jobs/job-steps.tsx";

/** The progress of a job. @param props.cause why it failed, if more is known than the job's own cause */
export function JobCard({ job, cause }: { job: Job; cause?: string | undefined }) {
  const followed = useQuery(apiQuery(jobRoutes.getJob, { params: { id: job.id } }));
  const { data = job, error } = followed;
  return (
    <Card
      title={<TextLink to={jobAddress(job.id)}>{jobNames[job.kind]}</TextLink>}
      actions={<JobBadge state={data.status} />}
      about={<Request job={data} />}
    >
      {followed.data !== undefined ? (
        <JobProgress job={followed.data} cause={cause ?? followed.data.cause} />
      ) : error === null ? (
        <Skeleton className="h-16" />
      ) : (
        <QueryFault query={followed} />
      )}
    </Card>
  );
}

const Request = ({ job: { requested_by, created_at, attempts } }: { job: Job }) => (
  <>
    Requested by {requested_by === "service" ? "the automation service" : requested_by} <Ago at={created_at} />
    {attempts > 1 ? `, ${attempts} attempts` : null}
  </>
);

function JobProgress({ job, cause }: { job: Answer<typeof jobRoutes.getJob>; cause: string | null }) {
  const [fault, setFault] = useState<Error | null>(null);
  const { status, progress, events, kind, deadline, ended_at } = job;
  const hasSteps = events.some(({ step }) => step !== null);
  const hasFailed = status === "failed";
  const actions = <JobActions job={job} onFault={setFault} />;
  return (
    <div className="flex flex-col gap-3">
      {hasFailed || (status === "cancelled" && cause !== null) ? (
        <Notice tone={hasFailed ? "bad" : "info"} title={hasFailed ? "Job failed" : "Job cancelled"} actions={actions}>
          <p>{cause}</p>
        </Notice>
      ) : null}
      {status === "running" ? (
        <Progress label={jobNames[kind]} value={progress > 0 || hasSteps ? progress : null} />
      ) : null}
      {status === "queued" ? (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="text-quiet">
            {events.findLast((event) => event.kind === "waiting")?.message ??
              jobUndoings[kind] ??
              "Waiting for the automation service. The job starts automatically."}
          </p>
          {actions}
        </div>
      ) : null}
      <Fault error={fault} />
      {ended_at === null ? (
        <p className="text-xs text-quiet">
          Deadline: <Moment at={deadline} />
        </p>
      ) : null}
      {hasSteps ? (
        <details open={ended_at === null || hasFailed} className="-mx-4">
          <summary className="mx-4 mb-1 w-fit cursor-pointer text-[0.8125rem] text-quiet hover:text-text">
            Steps
          </summary>
          <StepList events={events} ended={ended_at !== null} />
        </details>
      ) : null}
      {events.length === 0 ? null : (
        <details className="-mx-4 text-[0.8125rem]">
          <summary className="mx-4 w-fit cursor-pointer text-quiet hover:text-text">Log</summary>
          <ScrollRegion label="Job log" className="mt-2 max-h-64">
            <LogLines events={events} />
          </ScrollRegion>
        </details>
      )}
    </div>
  );
}
