import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { rolloutTenantStatuses } from "#domain/rollouts/progress.ts";
import { rolloutRoutes } from "#workers/contracts/api/tenants/rollouts.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { clientAddress, jobAddress } from "#workers/dashboard/ui/kit/addresses.ts";
import { formatNumber } from "#workers/dashboard/ui/kit/format.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { ChoiceFilter } from "#workers/dashboard/ui/kit/list/filters.tsx";
import { type Column, DataTable } from "#workers/dashboard/ui/kit/list/table.tsx";
import { Empty, Loaded, Loading } from "#workers/dashboard/ui/kit/states.tsx";
import { TextLink } from "#workers/dashboard/ui/kit/text-link.tsx";
import { Ago, Moment } from "#workers/dashboard/ui/kit/time.tsx";
import { statusLabel, TenantBadge } from "./rollout-badge.tsx";
import { type RolloutDetails, totalOf, waveName } from "./rollout-counts.ts";

const route = getRouteApi("/shell/operations/rollouts/$rolloutId");
/** The API returns at most this many. */
const MAX_MEMBERS = 500;

type Member = RolloutDetails["members"][number];

const columnsFor = (waves: readonly number[]): readonly Column<Member>[] => [
  { header: "Tenant", share: 1.2, cell: ({ client }) => client.slug },
  { header: "Wave", share: 0.8, from: "sm", cell: ({ wave }) => waveName(wave, waves) },
  { header: "Status", share: 1.1, cell: ({ status }) => <TenantBadge status={status} /> },
  { header: "When", share: 2, from: "md", cell: (member) => <When member={member} /> },
  {
    header: "Result",
    share: 2.2,
    from: "lg",
    cell: ({ cause }) => <span title={cause ?? undefined}>{cause}</span>,
  },
  {
    header: "Job",
    width: 72,
    from: "sm",
    cell: ({ job_id, client }) =>
      job_id === null ? null : (
        <TextLink to={jobAddress(job_id)} aria-label={`Show job of ${client.slug}`}>
          Show
        </TextLink>
      ),
  },
];

export function RolloutTenants({ rollout: { id, waves, tenants } }: { rollout: RolloutDetails }) {
  const { status } = route.useSearch();
  const navigate = route.useNavigate();
  const query = status === undefined ? {} : { query: { status } };
  const found = useQuery({
    ...apiQuery(rolloutRoutes.getRollout, { params: { id }, ...query }),
    placeholderData: keepPreviousData,
  });
  const total = status === undefined ? totalOf(tenants) : (tenants[status] ?? 0);
  return (
    <Card
      title="Tenants"
      about={total > MAX_MEMBERS ? `The first ${MAX_MEMBERS} of ${formatNumber(total)}, by wave` : undefined}
      actions={
        <ChoiceFilter
          name="Status"
          value={status}
          values={rolloutTenantStatuses}
          nameOf={(one) => `${statusLabel(one)} (${formatNumber(tenants[one] ?? 0)})`}
          onChange={(next) =>
            void navigate({ search: (before) => ({ ...before, status: next }), replace: true, resetScroll: false })
          }
        />
      }
      flush
    >
      <Loaded query={found} loading={<Loading padded />}>
        {({ members }) => (
          <DataTable
            label="Tenants of the rollout"
            columns={columnsFor(waves)}
            rows={members}
            idOf={({ instance_id }) => instance_id}
            linkOf={({ client }) => clientAddress(client.id)}
            empty={<Empty title="No matching tenants">Select another status.</Empty>}
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
      From <Moment at={not_before} />
    </>
  );
}
