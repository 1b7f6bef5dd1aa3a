import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useCallback } from "react";
import { planLabel } from "#domain/plans/plan.ts";
import { MAX_LIMIT } from "#workers/contracts/api/paging.ts";
import { type Client, clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { readPages } from "../../api/queries.ts";
import { useViewer } from "../../api/session.ts";
import { clientAddress } from "../../kit/addresses.ts";
import { ButtonLink } from "../../kit/button.tsx";
import { formatNumber } from "../../kit/format.ts";
import { Card } from "../../kit/layout/card.tsx";
import { Page } from "../../kit/layout/page.tsx";
import { PagedTable } from "../../kit/list/paged-table.tsx";
import type { Column } from "../../kit/list/table.tsx";
import { ClientBadge, InstanceBadge } from "../../kit/state-badge.tsx";
import { Empty } from "../../kit/states.tsx";
import { Ago } from "../../kit/time.tsx";
import { ClientFilters } from "./client-filters.tsx";
import type { ClientsSearch } from "./search.ts";

const route = getRouteApi("/shell/clients");

const columns: readonly Column<Client>[] = [
  { header: "Client", sort: "slug", share: 2.2, cell: (client) => <Name {...client} /> },
  {
    header: "Partner",
    share: 1.4,
    from: "lg",
    cell: ({ partner }) => partner?.name ?? <Quiet>Internal</Quiet>,
  },
  { header: "Plan", from: "md", cell: ({ billing_plan }) => planLabel(billing_plan) },
  { header: "Status", from: "sm", share: 1.1, cell: ({ status }) => <ClientBadge state={status} /> },
  {
    header: "Instance",
    share: 1.2,
    cell: ({ instance }) => <InstanceBadge state={instance?.status ?? null} />,
  },
  {
    header: "AI gateway",
    share: 1.6,
    from: "xl",
    cell: ({ instance }) => instance?.ai_gateway_id ?? <Quiet>None</Quiet>,
  },
  {
    header: "Created",
    sort: "created_at",
    from: "lg",
    cell: ({ created_at }) => <Ago at={created_at} />,
  },
];

export default function ClientsPage() {
  const { isRoot } = useViewer();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { sort = "slug", status, plan: billing_plan, instance: instance_status, partner: partner_id } = search;
  const clients = useInfiniteQuery(
    readPages(clientRoutes.listClients, {
      query: { sort, status, billing_plan, instance_status, partner_id, search: search.search, limit: MAX_LIMIT },
    }),
  );
  const change = useCallback(
    (part: Partial<ClientsSearch>) => void navigate({ search: (before) => ({ ...before, ...part }), replace: true }),
    [navigate],
  );
  const filtered = Object.entries(search).some(([name, value]) => name !== "sort" && value !== undefined);
  const shown = isRoot ? columns : columns.filter(({ header }) => header !== "Partner");
  const total = clients.data?.pages[0]?.pagination.total;
  return (
    <Page
      title="Clients"
      beside={total === undefined ? undefined : <span className="text-quiet tabular-nums">{formatNumber(total)}</span>}
      actions={
        <ButtonLink to="/clients/new" variant="primary">
          <Plus aria-hidden="true" /> Create client
        </ButtonLink>
      }
    >
      <ClientFilters search={search} filtered={filtered} onChange={change} />
      <Card flush>
        <PagedTable
          label="Clients"
          query={clients}
          columns={shown}
          idOf={({ id }) => id}
          linkOf={({ id }) => clientAddress(id)}
          sort={sort}
          onSort={(next) => change({ sort: next as ClientsSearch["sort"] })}
          empty={
            filtered ? (
              <Empty title="No matching clients">Clear a filter, or search for part of a slug or name.</Empty>
            ) : (
              <Empty
                title="No clients yet"
                action={
                  <ButtonLink to="/clients/new" variant="primary">
                    Create client
                  </ButtonLink>
                }
              >
                A client is a customer with its own AI-agent gateway. Create one here, or declare it in the stack's
                settings.
              </Empty>
            )
          }
        />
      </Card>
    </Page>
  );
}

const Quiet = ({ children }: { children: string }) => <span className="text-quiet">{children}</span>;

const Name = ({ name, slug }: Client) =>
  name === slug ? (
    slug
  ) : (
    <>
      {name} <span className="font-normal text-quiet">{slug}</span>
    </>
  );
