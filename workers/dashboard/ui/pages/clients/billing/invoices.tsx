import { useInfiniteQuery } from "@tanstack/react-query";
import type { InvoiceStatus } from "#domain/billing/invoice.ts";
import type { InvoiceSummary } from "#workers/contracts/api/billing.ts";
import { billingRoutes } from "#workers/contracts/api/billing-routes.ts";
import { readPages } from "#workers/dashboard/ui/api/queries.ts";
import { Badge, type Tone } from "#workers/dashboard/ui/kit/badge.tsx";
import { formatMoney, formatMonth } from "#workers/dashboard/ui/kit/format.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { PagedTable } from "#workers/dashboard/ui/kit/list/paged-table.tsx";
import type { Column } from "#workers/dashboard/ui/kit/list/table.tsx";
import { Empty } from "#workers/dashboard/ui/kit/states.tsx";

const STATUSES: Readonly<Record<InvoiceStatus, readonly [name: string, tone: Tone]>> = {
  draft: ["Draft", "quiet"],
  issued: ["Not paid", "busy"],
  paid: ["Paid", "good"],
  void: ["Void", "quiet"],
};

export function InvoiceBadge({ status }: { status: InvoiceStatus }) {
  const [name, tone] = STATUSES[status];
  return <Badge tone={tone}>{name}</Badge>;
}

const columns: readonly Column<InvoiceSummary>[] = [
  { header: "Month", share: 1.4, cell: ({ period_start }) => formatMonth(period_start) },
  { header: "Status", cell: ({ status }) => <InvoiceBadge status={status} /> },
  { header: "Total", right: true, cell: ({ total_micros }) => formatMoney(total_micros) },
];

/** @param props.address of the page, which shows the invoice that its search names */
export function Invoices({ clientId, address }: { clientId: string; address: string }) {
  const query = useInfiniteQuery(readPages(billingRoutes.listInvoices, { params: { client_id: clientId }, query: {} }));
  return (
    <Card title="Invoices" about="One per month, created after the month ends." flush>
      <PagedTable
        label="Invoices"
        query={query}
        columns={columns}
        idOf={({ id }) => id}
        linkOf={({ id }) => `${address}?invoice=${id}`}
        empty={<Empty title="No invoices yet">The first one is created after the first month ends.</Empty>}
      />
    </Card>
  );
}
