import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { type Job, jobRequesters, jobRoutes, jobUndoings } from "#workers/contracts/api/jobs.ts";
import type { Answer } from "#workers/dashboard/ui/api/ask.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { clientAddress, jobAddress } from "#workers/dashboard/ui/kit/addresses.ts";
import { Progress } from "#workers/dashboard/ui/kit/chart/meter.tsx";
import { joinClasses } from "#workers/dashboard/ui/kit/classes.ts";
import { Card, Facts } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Page } from "#workers/dashboard/ui/kit/layout/page.tsx";
import { JobBadge } from "#workers/dashboard/ui/kit/state-badge.tsx";
import { Fault, Loaded } from "#workers/dashboard/ui/kit/states.tsx";
import { TextLink } from "#workers/dashboard/ui/kit/text-link.tsx";
import { Moment } from "#workers/dashboard/ui/kit/time.tsx";
import { JobActions } from "./job-actions.tsx";
import { JobLog } from "./job-log.tsx";
import { jobNames, retryHints } from "./job-names.ts";
import { JobSteps } from "./job-steps.tsx";

const route = getRouteApi("/shell/operations/jobs/$jobId");
const CRUMBS = [{ name: "Jobs", to: "/operations/jobs" }];

export default function JobPage() {
  const { jobId: id } = route.useParams();
  const job = useQuery(apiQuery(jobRoutes.getJob, { params: { id } }));
  return (
    <Loaded
      query={job}
      failed={(failed) => (
        <Page title="Job" crumbs={CRUMBS}>
          {failed}
        </Page>
      )}
    >
      {(found) => <JobDetail key={found.id} job={found} />}
    </Loaded>
  );
}

function JobDetail({ job }: { job: Answer<typeof jobRoutes.getJob> }) {
  const navigate = useNavigate();
  const [fault, setFault] = useState<Error | null>(null);
  const { kind, slug, status, generation, requested_by, attempts, progress, events } = job;
  const steps = events.filter(({ step }) => step !== null);
  return (
    <Page
      title={`${jobNames[kind]}: ${slug}`}
      crumbs={CRUMBS}
      beside={
        <span role="status">
          <JobBadge state={status} />
        </span>
      }
      actions={
        <JobActions job={job} onFault={setFault} onRetried={({ id }) => void navigate({ to: jobAddress(id) })} />
      }
    >
      <Fault error={fault} />
      <JobCause job={job} />
      {status === "running" ? <Progress label="Progress" value={progress === 0 ? null : progress} /> : null}
      <div className="grid items-start gap-4 lg:grid-cols-3">
        <Card title="Details" className="min-w-0 lg:order-2">
          <Facts
            facts={[
              [
                "Tenant",
                job.client_id === null ? (
                  slug
                ) : (
                  <TextLink key="tenant" to={clientAddress(job.client_id)}>
                    {slug}
                  </TextLink>
                ),
              ],
              ["Requested by", requested_by],
              ["Requested", <Moment key="requested" at={job.created_at} />],
              ["Started", job.started_at === null ? "Not yet" : <Moment key="started" at={job.started_at} />],
              ["Ended", job.ended_at === null ? "Not yet" : <Moment key="ended" at={job.ended_at} />],
              ...(job.ended_at === null ? [["Deadline", <Moment key="deadline" at={job.deadline} />] as const] : []),
              ["Attempts", attempts],
              ...(generation === null ? [] : [["Generation", generation] as const]),
            ]}
          />
        </Card>
        <div className="flex min-w-0 flex-col gap-4 lg:col-span-2">
          {steps.length === 0 ? null : <JobSteps events={steps} ended={job.ended_at !== null} />}
          <JobLog events={events} />
        </div>
      </div>
    </Page>
  );
}

function JobCause({ job }: { job: Job }) {
  const { status, cause } = job;
  const remedy = useRemedy(job);
  if (cause === null && remedy === undefined) return null;
  const hasFailed = status === "failed";
  return (
    <section
      aria-label={hasFailed ? "Cause of failure" : "Details"}
      className={joinClasses("rounded-lg px-4 py-3", hasFailed ? "bg-bad-soft text-bad" : "bg-sunken text-soft")}
    >
      {cause === null ? null : <p className="break-words">{cause}</p>}
      {remedy === undefined ? null : <p className="mt-1">{remedy}</p>}
    </section>
  );
}

function useRemedy({ kind, status, followed_by, instance_id }: Job) {
  const { user } = useViewer();
  const undoing = jobUndoings[kind];
  if (status === "queued" && undoing !== undefined) return `The job cannot be cancelled. ${undoing}`;
  if (status !== "failed" && status !== "cancelled") return undefined;
  if (followed_by !== null) {
    return (
      <>
        The job was retried: see <TextLink to={jobAddress(followed_by)}>the later job</TextLink>.
      </>
    );
  }
  if (retryHints[kind] !== undefined) return retryHints[kind];
  if (instance_id === null) return "The instance no longer exists, so the job cannot be retried.";
  if (!jobRequesters[kind].includes(user.role)) return "Only platform roots can retry this job. Ask one of them.";
  return status === "failed" ? "Fix the cause, then retry the job. It continues with what exists." : undefined;
}
