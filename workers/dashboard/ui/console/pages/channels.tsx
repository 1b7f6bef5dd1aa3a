import { ChannelsCard } from "#workers/dashboard/ui/pages/clients/channels/channels-card.tsx";
import { DoorsCard } from "#workers/dashboard/ui/pages/clients/webhooks/doors/doors-card.tsx";
import { InboxCard } from "#workers/dashboard/ui/pages/clients/webhooks/inbox/inbox-card.tsx";
import { TenantPage } from "../tenant-page.tsx";

export default function Channels() {
  return (
    <TenantPage title="Channels" about="Where people and services reach the agent: messengers, and webhooks.">
      {({ instance: { id, billing_plan, status } }) => (
        <>
          <ChannelsCard instanceId={id} />
          <DoorsCard instanceId={id} plan={billing_plan} />
          {status === "provisioning" ? null : <InboxCard instanceId={id} />}
        </>
      )}
    </TenantPage>
  );
}
