import { getRouteApi } from "@tanstack/react-router";
import { ClientFrame } from "./client-frame.tsx";
import { Overview } from "./overview.tsx";

const route = getRouteApi("/shell/clients/$clientId");

export function OverviewPage() {
  return <ClientFrame clientId={route.useParams().clientId}>{(tab) => <Overview {...tab} />}</ClientFrame>;
}
