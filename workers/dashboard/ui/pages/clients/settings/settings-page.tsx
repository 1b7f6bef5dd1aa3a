import { getRouteApi } from "@tanstack/react-router";
import { ClientFrame } from "../detail/client-frame.tsx";
import { Settings } from "./settings.tsx";

const route = getRouteApi("/shell/clients/$clientId/settings");

export function SettingsPage() {
  const { clientId } = route.useParams();
  return (
    <ClientFrame clientId={clientId} name="settings">
      {(tab) => <Settings {...tab} />}
    </ClientFrame>
  );
}
