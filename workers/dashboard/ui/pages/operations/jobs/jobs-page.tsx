import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { X } from "lucide-react";
import { jobKinds, jobStates } from "#domain/entities/job.ts";
import { type Job, jobRoutes } from "#workers/contracts/api/jobs.ts";
import { readPages } from "#workers/dashboard/ui/api/queries.ts";
import { jobAddress } from "#workers/dashboard/ui/kit/addresses.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Page } from "#workers/dashboard/ui/kit/layout/page.tsx";
import { ChoiceFilter } from "#workers/dashboard/ui/kit/list/filters.tsx";
import { PagedTable } from "#workers/dashboard/ui/kit/list/paged-table.tsx";
import type { Column } from "#workers/dashboard/ui/kit/list/table.tsx";
import { Empty } from "#workers/dashboard/ui/kit/states.tsx";
import { Ago } from "#workers/dashboard/ui/kit/time.tsx";
import { JobActions } from "./job-actions.tsx";
import { jobNames } from "./job-names.ts";
import { JobStatus } from "./job-status.tsx";
import type { JobsSearch } from "./search.ts";

const route = getRouteApi("/shell/operations/jobs");
const ACTIONS_PX = 104;

const columns: readonly Column<Job>[] = [
  { id: "job", header: "Job", share: 1.6, cell: ({ kind }) => jobNames[kind] },
  { id: "client", header: "Tenant", share: 1.1, cell: ({ slug }) => slug },
  { id: "status", header: "Status", share: 1.1, cell: (job) => <JobStatus job={job} /> },
  {
    id: "cause",
    header: "What came of it",
    share: 2.4,
    from: "lg",
    cell: ({ cause }) => <span title={cause ?? undefined}>{cause}</span>,
  },
  { id: "by", header: "Asked by", share: 1.4, from: "xl", cell: ({ requested_by }) => requested_by },
  { id: "at", header: "Asked", from: "md", cell: ({ created_at }) => <Ago at={created_at} /> },
  {
    id: "actions",
    header: "Actions",
    width: ACTIONS_PX,
    right: true,
    from: "sm",
    cell: (job) => <JobActions job={job} small />,
  },
];

export function JobsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { status, kind, client: client_id } = search;
  const jobs = useInfiniteQuery({
    ...readPages(jobRoutes.listJobs, { query: { status, kind, client_id } }),
    placeholderData: keepPreviousData,
  });
  const change = (part: Partial<JobsSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true });
  const filtered = Object.values(search).some((value) => value !== undefined);
  return (
    <Page title="Jobs" about="Operations on instances, from their request to their end.">
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
          <Button look="ghost" onClick={() => change({ status: undefined, kind: undefined, client: undefined })}>
            <X aria-hidden="true" /> Clear
          </Button>
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
              <Empty title="No job is like that">Take a filter away.</Empty>
            ) : (
              <Empty title="No jobs yet">
                What is asked of an instance, such as its provisioning or another plan, is here from then on.
              </Empty>
            )
          }
        />
      </Card>
    </Page>
  );
}
