import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Job, jobRoutes, jobUndoings } from "#workers/contracts/api/jobs.ts";
import type { Answer } from "#workers/dashboard/ui/api/ask.ts";
import { read } from "#workers/dashboard/ui/api/queries.ts";
import { jobAddress } from "#workers/dashboard/ui/kit/addresses.ts";
import { Progress } from "#workers/dashboard/ui/kit/chart/meter.tsx";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Notice } from "#workers/dashboard/ui/kit/notice.tsx";
import { JobBadge } from "#workers/dashboard/ui/kit/state-badge.tsx";
import { Failed, Fault, Skeleton } from "#workers/dashboard/ui/kit/states.tsx";
import { TextLink } from "#workers/dashboard/ui/kit/text-link.tsx";
import { Ago, Moment } from "#workers/dashboard/ui/kit/time.tsx";
import { JobActions } from "../../operations/jobs/job-actions.tsx";
import { LogLines } from "../../operations/jobs/job-log.tsx";
import { jobNames } from "../../operations/jobs/job-names.ts";
import { StepList } from "../../operations/jobs/job-steps.tsx";
import { ScrollRegion } from "../scroll-region.tsx";

export interface JobCardProps {
  job: Job;
  /** Why it failed and what to do, where more is known of that than the job itself tells. */
  cause?: string | undefined;
}

/** An operation on the instance, as it goes on. */
export function JobCard({ job, cause }: JobCardProps) {
  const followed = useQuery(read(jobRoutes.getJob, { params: { id: job.id } }));
  const { data = job, error, isFetching } = followed;
  return (
    <Card
      title={<TextLink to={jobAddress(job.id)}>{jobNames[job.kind]}</TextLink>}
      actions={<JobBadge state={data.status} />}
      about={<Asked job={data} />}
    >
      {followed.data !== undefined ? (
        <Course job={followed.data} why={cause ?? followed.data.cause} />
      ) : error === null ? (
        <Skeleton className="h-16" />
      ) : (
        <Failed error={error} onRetry={() => void followed.refetch()} retrying={isFetching} />
      )}
    </Card>
  );
}

const Asked = ({ job: { requested_by, created_at, attempts } }: { job: Job }) => (
  <>
    {requested_by === "service" ? "The automation service asked for it" : `${requested_by} asked for it`}{" "}
    <Ago at={created_at} />
    {attempts > 1 ? `, ${attempts} tries` : null}
  </>
);

function Course({ job, why }: { job: Answer<typeof jobRoutes.getJob>; why: string | null }) {
  const [fault, setFault] = useState<Error | null>(null);
  const { status, progress, events, kind, deadline, ended_at } = job;
  const hasSteps = events.some(({ step }) => step !== null);
  const isBad = status === "failed";
  const actions = <JobActions job={job} onFault={setFault} />;
  return (
    <div className="flex flex-col gap-3">
      {isBad || (status === "cancelled" && why !== null) ? (
        <Notice tone={isBad ? "bad" : "info"} title={isBad ? "It failed" : "It was cancelled"} actions={actions}>
          <p>{why}</p>
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
              "It waits for the automation service, and begins by itself."}
          </p>
          {actions}
        </div>
      ) : null}
      <Fault error={fault} />
      {ended_at === null ? (
        <p className="text-xs text-quiet">
          It ends by <Moment at={deadline} />, one way or the other.
        </p>
      ) : null}
      {hasSteps ? (
        <details open={ended_at === null || isBad} className="-mx-4">
          <summary className="mx-4 mb-1 w-fit cursor-pointer text-[0.8125rem] text-quiet hover:text-text">
            Steps
          </summary>
          <StepList events={events} ended={ended_at !== null} />
        </details>
      ) : null}
      {events.length === 0 ? null : (
        <details className="-mx-4 text-[0.8125rem]">
          <summary className="mx-4 w-fit cursor-pointer text-quiet hover:text-text">Log</summary>
          <ScrollRegion label="Log of the job" className="mt-2 max-h-64">
            <LogLines events={events} />
          </ScrollRegion>
        </details>
      )}
    </div>
  );
}
