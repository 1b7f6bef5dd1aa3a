import { getRouteApi } from "@tanstack/react-router";
import { ClientFrame } from "../detail/client-frame.tsx";
import { Settings } from "./settings.tsx";

const route = getRouteApi("/shell/clients/$clientId/settings");

export function SettingsPage() {
  return <ClientFrame clientId={route.useParams().clientId}>{(tab) => <Settings {...tab} />}</ClientFrame>;
}
