import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { billingRoutes } from "#workers/contracts/api/billing-routes.ts";
import type { Client } from "#workers/contracts/api/tenants/clients.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { clientAddress } from "#workers/dashboard/ui/kit/addresses.ts";
import { type ClientTab, clientTab } from "../detail/client-frame.tsx";
import { billingSearch } from "../search.ts";
import { CreditCard } from "./credit-card.tsx";
import { Invoices } from "./invoices.tsx";
import { Ledger } from "./ledger.tsx";

const InvoiceDialog = lazy(() => import("./invoice-dialog.tsx"));

export default clientTab("billing", Billing);

function Billing({ client }: ClientTab) {
  return <BillingCards client={client} address={`${clientAddress(client.id)}/billing`} />;
}

interface BillingCardsProps {
  client: Client;
  /** Of the page, whose search parameters are `billingSearch`. */
  address: string;
}

export function BillingCards({ client, address }: BillingCardsProps) {
  const { invoice } = billingSearch.parse(useSearch({ strict: false }));
  const navigate = useNavigate();
  const credit = useQuery(apiQuery(billingRoutes.getCredit, { params: { client_id: client.id } }));
  return (
    <>
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <CreditCard client={client} query={credit} />
        <Invoices clientId={client.id} address={address} />
      </div>
      <Ledger client={client} />
      <Suspense>
        {invoice === undefined ? null : (
          <InvoiceDialog
            id={invoice}
            onClose={() => void navigate({ to: address, search: {}, replace: true, resetScroll: false })}
          />
        )}
      </Suspense>
    </>
  );
}
