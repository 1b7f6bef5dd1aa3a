import { getRouteApi } from "@tanstack/react-router";
import { ClientFrame } from "../detail/client-frame.tsx";
import { Usage } from "./usage.tsx";

const route = getRouteApi("/shell/clients/$clientId/usage");

export function UsagePage() {
  return <ClientFrame clientId={route.useParams().clientId}>{(tab) => <Usage {...tab} />}</ClientFrame>;
}
