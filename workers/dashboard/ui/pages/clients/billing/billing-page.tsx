import { getRouteApi } from "@tanstack/react-router";
import { ClientFrame } from "../detail/client-frame.tsx";
import { Billing } from "./billing.tsx";

const route = getRouteApi("/shell/clients/$clientId/billing");

export function BillingPage() {
  const { clientId } = route.useParams();
  return (
    <ClientFrame clientId={clientId} name="billing">
      {(tab) => <Billing {...tab} />}
    </ClientFrame>
  );
}
