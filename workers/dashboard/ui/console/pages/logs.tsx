import { LogCard } from "#workers/dashboard/ui/pages/instance/log-card.tsx";
import { TenantPage } from "../tenant-page.tsx";

export default function Logs() {
  return (
    <TenantPage
      title="Logs"
      about="What the agent writes while it works, for people who support it. If something is wrong, run the doctor first: it explains what it finds."
    >
      {({ instance }) => <LogCard instance={instance} follows />}
    </TenantPage>
  );
}
