import { getRouteApi } from "@tanstack/react-router";
import { ClientFrame } from "../detail/client-frame.tsx";
import { Billing } from "./billing.tsx";

const route = getRouteApi("/shell/clients/$clientId/billing");

export function BillingPage() {
  return <ClientFrame clientId={route.useParams().clientId}>{(tab) => <Billing {...tab} />}</ClientFrame>;
}
