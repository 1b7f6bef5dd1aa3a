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
import { reachedOf, totalOf } from "../rollouts/rollout-counts.ts";
import { RolloutName } from "../rollouts/rollout-name.tsx";
import { NewRollout } from "./new-rollout.tsx";

const columns: readonly Column<Rollout>[] = [
  { id: "what", header: "What", share: 1.8, cell: (rollout) => <RolloutName rollout={rollout} /> },
  { id: "status", header: "Status", share: 1.1, cell: ({ status }) => <RolloutBadge status={status} /> },
  {
    id: "tenants",
    header: "Tenants",
    right: true,
    share: 0.8,
    cell: ({ tenants }) => `${formatNumber(reachedOf(tenants))} of ${formatNumber(totalOf(tenants))}`,
  },
  {
    id: "cause",
    header: "What came of it",
    share: 2,
    from: "lg",
    cell: ({ cause }) => <span title={cause ?? undefined}>{cause}</span>,
  },
  { id: "by", header: "Asked by", share: 1.2, from: "xl", cell: ({ requested_by }) => requested_by },
  { id: "at", header: "Begun", from: "md", cell: ({ created_at }) => <Ago at={created_at} /> },
];

export interface RolloutsCardProps {
  rollouts: PagedTableProps<Rollout>["query"];
}

/** Roll-outs, one at a time, with the way to begin another. */
export function RolloutsCard({ rollouts }: RolloutsCardProps) {
  const [beginning, setBeginning] = useState(false);
  const latest = rollouts.data?.pages[0]?.data;
  const open = latest?.find(({ ended_at }) => ended_at === null);
  return (
    <Card
      title="Roll-outs"
      about="One at a time: canaries first, then wave after wave, each begun when the one before has stayed healthy."
      actions={
        latest === undefined ? null : open === undefined ? (
          <Button look="primary" onClick={() => setBeginning(true)}>
            <Rocket aria-hidden="true" /> Start a roll-out
          </Button>
        ) : (
          <ButtonLink to={rolloutAddress(open.id)}>Go to the one under way</ButtonLink>
        )
      }
      flush
    >
      <PagedTable
        label="Roll-outs"
        query={rollouts}
        columns={columns}
        idOf={({ id }) => id}
        linkOf={({ id }) => rolloutAddress(id)}
        empty={
          <Empty title="No roll-outs yet">Add an image, or start a newer automation service, then roll it out.</Empty>
        }
      />
      {beginning ? <NewRollout onClose={() => setBeginning(false)} /> : null}
    </Card>
  );
}
