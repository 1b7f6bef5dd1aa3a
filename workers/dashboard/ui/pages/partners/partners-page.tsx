import { useInfiniteQuery } from "@tanstack/react-query";
import { Navigate, Outlet } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { MAX_LIMIT } from "#workers/contracts/api/paging.ts";
import { type Partner, partnerRoutes } from "#workers/contracts/api/people/partners.ts";
import { readPages } from "../../api/queries.ts";
import { useViewer } from "../../api/session.ts";
import { partnerAddress } from "../../kit/addresses.ts";
import { ButtonLink } from "../../kit/button.tsx";
import { formatNumber } from "../../kit/format.ts";
import { Card } from "../../kit/layout/card.tsx";
import { Page } from "../../kit/layout/page.tsx";
import { PagedTable } from "../../kit/list/paged-table.tsx";
import type { Column } from "../../kit/list/table.tsx";
import { Empty } from "../../kit/states.tsx";
import { Ago } from "../../kit/time.tsx";

const columns: readonly Column<Partner>[] = [
  { header: "Partner", share: 2.2, cell: ({ name }) => name },
  { header: "Slug", from: "sm", share: 1.4, cell: ({ slug }) => slug },
  { header: "Clients", right: true, share: 0.6, cell: ({ clients }) => formatNumber(clients) },
  {
    header: "Managed in",
    from: "md",
    share: 1.4,
    cell: ({ managed_by, declared_in }) => (managed_by === "git" ? (declared_in ?? "Git") : "Dashboard"),
  },
  { header: "Created", from: "lg", cell: ({ created_at }) => <Ago at={created_at} /> },
  { header: "Updated", from: "lg", cell: ({ updated_at }) => <Ago at={updated_at} /> },
];

export default function PartnersPage() {
  const { isRoot, partner } = useViewer();
  return isRoot || partner === null ? (
    <Partners />
  ) : (
    <Navigate to="/partners/$partnerId" params={{ partnerId: partner.id }} replace />
  );
}

function Partners() {
  const partners = useInfiniteQuery(readPages(partnerRoutes.listPartners, { query: { limit: MAX_LIMIT } }));
  return (
    <Page
      title="Partners"
      about="Organisations with their own clients and branding."
      actions={
        <ButtonLink to="/partners/new" variant="primary">
          <Plus aria-hidden="true" /> Create partner
        </ButtonLink>
      }
    >
      <Card flush>
        <PagedTable
          query={partners}
          label="Partners"
          columns={columns}
          idOf={({ id }) => id}
          linkOf={({ id }) => partnerAddress(id)}
          empty={
            <Empty
              title="No partners yet"
              action={
                <ButtonLink to="/partners/new" variant="primary">
                  Create partner
                </ButtonLink>
              }
            >
              A partner has clients, users who manage them, and branding. Clients without a partner are internal.
            </Empty>
          }
        />
      </Card>
      <Outlet />
    </Page>
  );
}
