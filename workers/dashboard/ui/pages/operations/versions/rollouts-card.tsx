import { Rocket } from "lucide-react";
import { useState } from "react";
import type { Rollout } from "#workers/contracts/api/tenants/rollouts.ts";
import { rolloutAddress } from "#workers/dashboard/ui/kit/addresses.ts";
import { Button, ButtonLink } from "#workers/dashboard/ui/kit/button.tsx";
import { formatNumber } from "#workers/dashboard/ui/kit/format.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { PagedTable, type PagedTableProps } from "#workers/dashboard/ui/kit/list/paged-table.tsx";
import type { Column } from "#workers/dashboard/ui/kit/list/table.tsx";
import { Empty } from "#workers/dashboard/ui/kit/states.tsx";
import { Ago } from "#workers/dashboard/ui/kit/time.tsx";
import { RolloutBadge } from "../rollouts/rollout-badge.tsx";
import { totalOf } from "../rollouts/rollout-counts.ts";
import { RolloutName } from "../rollouts/rollout-name.tsx";
import { NewRollout } from "./new-rollout.tsx";

const columns: readonly Column<Rollout>[] = [
  { header: "Version", share: 1.8, cell: (rollout) => <RolloutName rollout={rollout} /> },
  { header: "Status", share: 1.1, cell: ({ status }) => <RolloutBadge status={status} /> },
  {
    header: "Tenants",
    right: true,
    share: 0.8,
    cell: ({ tenants }) => `${formatNumber(tenants.done ?? 0)} of ${formatNumber(totalOf(tenants))}`,
  },
  {
    header: "Result",
    share: 2,
    from: "lg",
    cell: ({ cause }) => <span title={cause ?? undefined}>{cause}</span>,
  },
  { header: "Requested by", share: 1.2, from: "xl", cell: ({ requested_by }) => requested_by },
  { header: "Started", from: "md", cell: ({ created_at }) => <Ago at={created_at} /> },
];

export function RolloutsCard({ rollouts }: { rollouts: PagedTableProps<Rollout>["query"] }) {
  const [starting, setStarting] = useState(false);
  const latest = rollouts.data?.pages[0]?.data;
  const open = latest?.find(({ ended_at }) => ended_at === null);
  return (
    <Card
      title="Rollouts"
      about="One at a time: canaries first, then wave by wave. Each wave starts when the previous one has stayed healthy."
      actions={
        latest === undefined ? null : open === undefined ? (
          <Button variant="primary" onClick={() => setStarting(true)}>
            <Rocket aria-hidden="true" /> Start rollout
          </Button>
        ) : (
          <ButtonLink to={rolloutAddress(open.id)}>Go to current rollout</ButtonLink>
        )
      }
      flush
    >
      <PagedTable
        label="Rollouts"
        query={rollouts}
        columns={columns}
        idOf={({ id }) => id}
        linkOf={({ id }) => rolloutAddress(id)}
        empty={
          <Empty title="No rollouts yet">
            Add an image, or deploy a newer automation service, then start a rollout.
          </Empty>
        }
      />
      {starting ? <NewRollout onClose={() => setStarting(false)} /> : null}
    </Card>
  );
}
