import { BillingCards } from "#workers/dashboard/ui/pages/clients/billing/billing.tsx";
import { TenantPage } from "../../tenant-page.tsx";
import { InvoiceChange } from "./invoice-change.tsx";
import { PlanCard } from "./plan-card.tsx";

export default function Billing() {
  return (
    <TenantPage title="Billing" about="Plan, credit, invoices, and why they changed.">
      {({ client, instance }) => (
        <>
          <InvoiceChange clientId={client.id} />
          <PlanCard client={client} instance={instance} />
          <BillingCards client={client} address="/billing" />
        </>
      )}
    </TenantPage>
  );
}
