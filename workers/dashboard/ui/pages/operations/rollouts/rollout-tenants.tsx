import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { rolloutTenantStatuses } from "#domain/rollouts/progress.ts";
import { rolloutRoutes } from "#workers/contracts/api/tenants/rollouts.ts";
import { read } from "#workers/dashboard/ui/api/queries.ts";
import { clientAddress, jobAddress } from "#workers/dashboard/ui/kit/addresses.ts";
import { formatNumber } from "#workers/dashboard/ui/kit/format.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { ChoiceFilter } from "#workers/dashboard/ui/kit/list/filters.tsx";
import { type Column, DataTable } from "#workers/dashboard/ui/kit/list/table.tsx";
import { Empty, Loaded, Loading } from "#workers/dashboard/ui/kit/states.tsx";
import { TextLink } from "#workers/dashboard/ui/kit/text-link.tsx";
import { Ago, Moment } from "#workers/dashboard/ui/kit/time.tsx";
import type { FoundRollout } from "./found-rollout.ts";
import { rolloutWords, TenantBadge } from "./rollout-badge.tsx";
import { totalOf, waveName } from "./rollout-counts.ts";

const route = getRouteApi("/shell/operations/rollouts/$rolloutId");
/** The API tells no more of one roll-out. */
const MOST = 500;

type Member = FoundRollout["members"][number];

const columnsFor = (waves: readonly number[]): readonly Column<Member>[] => [
  { id: "tenant", header: "Tenant", share: 1.2, cell: ({ client }) => client.slug },
  { id: "wave", header: "Wave", share: 0.8, from: "sm", cell: ({ wave }) => waveName(wave, waves) },
  { id: "status", header: "Status", share: 1.1, cell: ({ status }) => <TenantBadge status={status} /> },
  { id: "when", header: "When", share: 2, from: "md", cell: (member) => <When member={member} /> },
  {
    id: "cause",
    header: "What came of it",
    share: 2.2,
    from: "lg",
    cell: ({ cause }) => <span title={cause ?? undefined}>{cause}</span>,
  },
  {
    id: "job",
    header: "Job",
    width: 72,
    from: "sm",
    cell: ({ job_id, client }) =>
      job_id === null ? null : (
        <TextLink to={jobAddress(job_id)} aria-label={`The job of ${client.slug}`}>
          Look
        </TextLink>
      ),
  },
];

/** Each of its tenants: where it is, and what became of it. */
export function RolloutTenants({ rollout: { id, waves, tenants } }: { rollout: FoundRollout }) {
  const { status } = route.useSearch();
  const navigate = route.useNavigate();
  const query = status === undefined ? {} : { query: { status } };
  const found = useQuery({
    ...read(rolloutRoutes.getRollout, { params: { id }, ...query }),
    placeholderData: keepPreviousData,
  });
  const total = status === undefined ? totalOf(tenants) : (tenants[status] ?? 0);
  return (
    <Card
      title="Tenants"
      about={total > MOST ? `The first ${MOST} of ${formatNumber(total)}, by wave.` : undefined}
      actions={
        <ChoiceFilter
          name="Status"
          value={status}
          values={rolloutTenantStatuses}
          nameOf={(one) => `${rolloutWords(one)} (${formatNumber(tenants[one] ?? 0)})`}
          onChange={(next) =>
            void navigate({ search: (before) => ({ ...before, status: next }), replace: true, resetScroll: false })
          }
        />
      }
      flush
    >
      <Loaded
        query={found}
        loading={
          <div className="p-4">
            <Loading />
          </div>
        }
      >
        {({ members }) => (
          <DataTable
            label="Tenants of the roll-out"
            columns={columnsFor(waves)}
            rows={members}
            idOf={({ instance_id }) => instance_id}
            linkOf={({ client }) => clientAddress(client.id)}
            empty={<Empty title="No tenant is like that">Choose another status.</Empty>}
          />
        )}
      </Loaded>
    </Card>
  );
}

function When({ member: { changed_at, not_before, status } }: { member: Member }) {
  if (changed_at !== null) return <Ago at={changed_at} />;
  if (not_before === null || status === "skipped") return null;
  return (
    <>
      from <Moment at={not_before} />
    </>
  );
}
