import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { billingRoutes } from "#workers/contracts/api/billing-routes.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { type ClientTab, clientTab } from "../detail/client-frame.tsx";
import { CreditCard } from "./credit-card.tsx";
import { Invoices } from "./invoices.tsx";
import { Ledger } from "./ledger.tsx";

const InvoiceDialog = lazy(() => import("./invoice-dialog.tsx"));

const route = getRouteApi("/shell/clients/$clientId/billing");

export default clientTab("billing", Billing);

function Billing({ client }: ClientTab) {
  const { invoice } = route.useSearch();
  const navigate = route.useNavigate();
  const credit = useQuery(apiQuery(billingRoutes.getCredit, { params: { client_id: client.id } }));
  return (
    <>
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <CreditCard client={client} query={credit} />
        <Invoices client={client} />
      </div>
      <Ledger client={client} />
      <Suspense>
        {invoice === undefined ? null : (
          <InvoiceDialog
            id={invoice}
            onClose={() => void navigate({ search: { invoice: undefined }, replace: true })}
          />
        )}
      </Suspense>
    </>
  );
}
