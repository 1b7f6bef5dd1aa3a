import { BillingCards } from "#workers/dashboard/ui/pages/clients/billing/billing.tsx";
import { TenantPage } from "../../tenant-page.tsx";
import { InvoiceChange } from "./invoice-change.tsx";
import { PlanCard } from "./plan-card.tsx";
import { UsageChange } from "./usage-change.tsx";

export default function Billing() {
  return (
    <TenantPage title="Billing" about="Plan, credit, invoices and what changed since the previous period.">
      {({ client, instance }) => (
        <>
          <PlanCard client={client} instance={instance} />
          <InvoiceChange clientId={client.id} />
          <UsageChange clientId={client.id} />
          <BillingCards client={client} address="/billing" />
        </>
      )}
    </TenantPage>
  );
}
