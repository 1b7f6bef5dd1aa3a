import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { jobKinds, jobStates } from "#domain/entities/job.ts";
import { type Job, jobRoutes } from "#workers/contracts/api/jobs.ts";
import { readPages } from "#workers/dashboard/ui/api/queries.ts";
import { jobAddress } from "#workers/dashboard/ui/kit/addresses.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Page } from "#workers/dashboard/ui/kit/layout/page.tsx";
import { ChoiceFilter, ClearFilters } from "#workers/dashboard/ui/kit/list/filters.tsx";
import { PagedTable } from "#workers/dashboard/ui/kit/list/paged-table.tsx";
import type { Column } from "#workers/dashboard/ui/kit/list/table.tsx";
import { JobBadge } from "#workers/dashboard/ui/kit/state-badge.tsx";
import { Empty } from "#workers/dashboard/ui/kit/states.tsx";
import { Ago } from "#workers/dashboard/ui/kit/time.tsx";
import type { JobsSearch } from "../search.ts";
import { JobActions } from "./job-actions.tsx";
import { jobNames } from "./job-names.ts";

const route = getRouteApi("/shell/operations/jobs");
const ACTIONS_PX = 104;

const columns: readonly Column<Job>[] = [
  { header: "Job", share: 1.6, cell: ({ kind }) => jobNames[kind] },
  { header: "Tenant", share: 1.1, cell: ({ slug }) => slug },
  { header: "Status", share: 1.5, cell: (job) => <JobStatus {...job} /> },
  {
    header: "Result",
    share: 2.4,
    from: "lg",
    cell: ({ cause }) => <span title={cause ?? undefined}>{cause}</span>,
  },
  { header: "Requested by", share: 1.4, from: "xl", cell: ({ requested_by }) => requested_by },
  { header: "Requested", from: "md", cell: ({ created_at }) => <Ago at={created_at} /> },
  {
    header: "Actions",
    width: ACTIONS_PX,
    right: true,
    from: "sm",
    cell: (job) => <JobActions job={job} small />,
  },
];

export default function JobsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { status, kind, client: client_id } = search;
  const jobs = useInfiniteQuery(readPages(jobRoutes.listJobs, { query: { status, kind, client_id } }));
  const change = (part: Partial<JobsSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true });
  const filtered = Object.values(search).some((value) => value !== undefined);
  return (
    <Page title="Jobs" about="Operations on instances, from request to completion.">
      <search className="flex flex-wrap items-center gap-2">
        <ChoiceFilter name="Status" value={status} values={jobStates} onChange={(next) => change({ status: next })} />
        <ChoiceFilter
          name="Kind"
          value={kind}
          values={jobKinds}
          nameOf={(one) => jobNames[one]}
          onChange={(next) => change({ kind: next })}
        />
        {filtered ? (
          <ClearFilters onClear={() => change({ status: undefined, kind: undefined, client: undefined })} />
        ) : null}
      </search>
      <Card flush>
        <PagedTable
          label="Jobs"
          query={jobs}
          columns={columns}
          idOf={({ id }) => id}
          linkOf={({ id }) => jobAddress(id)}
          empty={
            filtered ? (
              <Empty title="No matching jobs">Clear a filter.</Empty>
            ) : (
              <Empty title="No jobs yet">
                Operations on instances, such as provisioning or a plan change, appear here.
              </Empty>
            )
          }
        />
      </Card>
    </Page>
  );
}

const JobStatus = ({ status, progress }: Job) => (
  <span className="flex items-center gap-2">
    <JobBadge state={status} />
    {status === "running" && progress > 0 ? (
      <span className="text-xs text-quiet tabular-nums">{progress} %</span>
    ) : null}
  </span>
);
