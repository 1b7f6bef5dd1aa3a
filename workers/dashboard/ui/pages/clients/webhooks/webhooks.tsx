import { clientAddress } from "#workers/dashboard/ui/kit/addresses.ts";
import { ButtonLink } from "#workers/dashboard/ui/kit/button.tsx";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Empty } from "#workers/dashboard/ui/kit/states.tsx";
import { ChannelsCard } from "../channels/channels-card.tsx";
import { type ClientTab, clientTab } from "../detail/client-frame.tsx";
import { DoorsCard } from "./doors/doors-card.tsx";
import { InboxCard } from "./inbox/inbox-card.tsx";

export default clientTab("webhooks", Webhooks);

function Webhooks({ client }: ClientTab) {
  const { id, instance, billing_plan } = client;
  if (instance === null) {
    return (
      <Card>
        <Empty title="No instance yet" action={<ButtonLink to={clientAddress(id)}>Go to overview</ButtonLink>}>
          Webhooks belong to the instance. Provision it first.
        </Empty>
      </Card>
    );
  }
  return (
    <>
      <ChannelsCard instanceId={instance.id} />
      <DoorsCard instanceId={instance.id} plan={billing_plan} />
      {instance.status === "provisioning" ? null : <InboxCard instanceId={instance.id} />}
    </>
  );
}
