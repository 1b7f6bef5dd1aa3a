import { useQuery } from "@tanstack/react-query";
import { notificationRoutes } from "#workers/contracts/api/people/notifications.ts";
import { Refused } from "#workers/dashboard/ui/api/faults.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Notice } from "#workers/dashboard/ui/kit/notice.tsx";
import { Loaded, Loading } from "#workers/dashboard/ui/kit/states.tsx";
import { TenantPage } from "../../tenant-page.tsx";
import { DeliveriesCard } from "./deliveries-card.tsx";
import { SettingsForm } from "./settings-form.tsx";

export default function Notifications() {
  return (
    <TenantPage
      title="Notifications"
      about="What the platform sends you about the agent, by mail and by webhook. Each administrator has own settings."
    >
      {({ client }) => (
        <>
          <OwnSettings clientId={client.id} />
          <DeliveriesCard clientId={client.id} />
        </>
      )}
    </TenantPage>
  );
}

function OwnSettings({ clientId }: { clientId: string }) {
  const query = useQuery(apiQuery(notificationRoutes.getNotificationSettings, { params: { client_id: clientId } }));
  if (query.data === undefined && query.error instanceof Refused && query.error.status === 403) {
    return <Notice tone="info">{query.error.message}</Notice>;
  }
  return (
    <Card title="Settings">
      <Loaded query={query} loading={<Loading lines={8} />}>
        {(settings) => <SettingsForm clientId={clientId} settings={settings} />}
      </Loaded>
    </Card>
  );
}
