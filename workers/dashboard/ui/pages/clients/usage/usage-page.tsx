import { getRouteApi } from "@tanstack/react-router";
import { ClientFrame } from "../detail/client-frame.tsx";
import { Usage } from "./usage.tsx";

const route = getRouteApi("/shell/clients/$clientId/usage");

export function UsagePage() {
  const { clientId } = route.useParams();
  return (
    <ClientFrame clientId={clientId} name="usage">
      {(tab) => <Usage {...tab} />}
    </ClientFrame>
  );
}
