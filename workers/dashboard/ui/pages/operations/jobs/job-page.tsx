import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { jobRoutes } from "#workers/contracts/api/jobs.ts";
import type { Answer } from "#workers/dashboard/ui/api/ask.ts";
import { read } from "#workers/dashboard/ui/api/queries.ts";
import { clientAddress, jobAddress } from "#workers/dashboard/ui/kit/addresses.ts";
import { Progress } from "#workers/dashboard/ui/kit/chart/meter.tsx";
import { Card, Facts } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Page } from "#workers/dashboard/ui/kit/layout/page.tsx";
import { JobBadge } from "#workers/dashboard/ui/kit/state-badge.tsx";
import { Fault, Loaded } from "#workers/dashboard/ui/kit/states.tsx";
import { TextLink } from "#workers/dashboard/ui/kit/text-link.tsx";
import { Moment } from "#workers/dashboard/ui/kit/time.tsx";
import { JobActions } from "./job-actions.tsx";
import { JobCause } from "./job-cause.tsx";
import { JobLog } from "./job-log.tsx";
import { jobNames } from "./job-names.ts";
import { JobSteps } from "./job-steps.tsx";

const route = getRouteApi("/shell/operations/jobs/$jobId");
const CRUMBS = [{ name: "Jobs", to: "/operations/jobs" }];

export function JobPage() {
  const { jobId: id } = route.useParams();
  const job = useQuery(read(jobRoutes.getJob, { params: { id } }));
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
