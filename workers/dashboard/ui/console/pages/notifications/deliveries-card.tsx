import { useInfiniteQuery } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { notificationRoutes } from "#workers/contracts/api/people/notifications.ts";
import type { Answer } from "#workers/dashboard/ui/api/ask.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { readPages } from "#workers/dashboard/ui/api/queries.ts";
import { Badge, type Tone } from "#workers/dashboard/ui/kit/badge.tsx";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { PagedTable } from "#workers/dashboard/ui/kit/list/paged-table.tsx";
import type { Column } from "#workers/dashboard/ui/kit/list/table.tsx";
import { Empty } from "#workers/dashboard/ui/kit/states.tsx";
import { Ago } from "#workers/dashboard/ui/kit/time.tsx";

type Delivery = Answer<typeof notificationRoutes.listNotificationDeliveries>["data"][number];

const OUTCOMES: Readonly<Record<Delivery["state"], readonly [text: string, tone: Tone]>> = {
  waiting: ["For the daily mail", "quiet"],
  queued: ["Queued", "busy"],
  sent: ["Sent", "good"],
  failed: ["Failed", "bad"],
  dropped: ["Not wanted any more", "quiet"],
};

const columns: readonly Column<Delivery>[] = [
  { header: "Event", share: 2, cell: ({ subject }) => <span title={subject}>{subject}</span> },
  { header: "By", from: "sm", cell: ({ channel }) => (channel === "mail" ? "Mail" : "Webhook") },
  { header: "To", share: 1.4, from: "lg", cell: ({ email }) => email },
  {
    header: "Outcome",
    share: 1.2,
    cell: ({ state }) => <Badge tone={OUTCOMES[state][1]}>{OUTCOMES[state][0]}</Badge>,
  },
  { header: "Answer", share: 1.4, from: "xl", cell: ({ answer }) => <span title={answer ?? undefined}>{answer}</span> },
  { header: "Created", from: "md", cell: ({ created_at }) => <Ago at={created_at} /> },
];

export function DeliveriesCard({ clientId }: { clientId: string }) {
  const params = { client_id: clientId };
  const deliveries = useInfiniteQuery(readPages(notificationRoutes.listNotificationDeliveries, { params, query: {} }));
  const test = useChange(notificationRoutes.testNotifications, {
    success: () => ({ title: "Test requested", about: "You receive it by mail, and by your webhook." }),
    failure: "Failed to send a test",
  });
  return (
    <Card
      flush
      title="Recent deliveries"
      about="To all administrators."
      actions={
        <Button busy={test.isPending} onClick={() => test.mutate({ params })}>
          {test.isPending ? null : <Send aria-hidden="true" />} Send a test
        </Button>
      }
    >
      <PagedTable
        label="Recent deliveries"
        query={deliveries}
        columns={columns}
        idOf={({ id }) => id}
        empty={<Empty title="No deliveries yet" />}
      />
    </Card>
  );
}
