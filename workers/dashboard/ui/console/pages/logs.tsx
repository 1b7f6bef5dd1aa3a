import { LogCard } from "#workers/dashboard/ui/pages/instance/log-card.tsx";
import { TenantPage } from "../tenant-page.tsx";

export default function Logs() {
  return <TenantPage title="Logs">{({ instance }) => <LogCard instance={instance} follows />}</TenantPage>;
}
