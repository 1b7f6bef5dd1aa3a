import { getRouteApi } from "@tanstack/react-router";
import { ClientFrame } from "./client-frame.tsx";
import { Overview } from "./overview.tsx";

const route = getRouteApi("/shell/clients/$clientId");

export function OverviewPage() {
  const { clientId } = route.useParams();
  return (
    <ClientFrame clientId={clientId} name="overview">
      {(tab) => <Overview {...tab} />}
    </ClientFrame>
  );
}
