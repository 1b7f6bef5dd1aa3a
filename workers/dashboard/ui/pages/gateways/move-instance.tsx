import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { instanceRoutes } from "#workers/contracts/api/instances/instances.ts";
import type { Job } from "#workers/contracts/api/jobs.ts";
import { MAX_LIMIT } from "#workers/contracts/api/paging.ts";
import { type AiGateway, aiGatewayRoutes, type BoundInstance } from "#workers/contracts/api/tenants/ai-gateways.ts";
import { useChange } from "../../api/change.ts";
import { readPages } from "../../api/queries.ts";
import { useViewer } from "../../api/session.ts";
import { Meter } from "../../kit/chart/meter.tsx";
import { FormDialog } from "../../kit/form/dialog.tsx";
import { Empty, Loading, QueryFault } from "../../kit/states.tsx";
import { ChoiceList } from "../instance/actions/choice-list.tsx";
import { whyUnavailable } from "../instance/actions/gateway-options.ts";

interface MoveInstanceProps {
  instance: BoundInstance;
  from: AiGateway;
  onClose: () => void;
  onStarted: (job: Job) => void;
}

export default function MoveInstance({ instance, from, onClose, onStarted }: MoveInstanceProps) {
  const { slug } = instance.client;
  const { environment } = useViewer();
  const [chosen, setChosen] = useState<string>();
  const pool = useInfiniteQuery(readPages(aiGatewayRoutes.listAiGateways, { query: { limit: MAX_LIMIT } }));
  const others = pool.data?.pages.flatMap(({ data }) => data).filter(({ id }) => id !== from.id);
  const target = others?.find(({ id }) => id === chosen);
  const move = useChange(instanceRoutes.assignGateway, {
    also: ["jobs", "AI gateways"],
    success: () => ({
      kind: "info",
      title: `Moving ${slug} to ${target?.gateway_id ?? "another AI gateway"}`,
      about: "Its Worker is redeployed. A message follows when the move is complete.",
    }),
    onDone: (job) => {
      onStarted(job);
      onClose();
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title={`Move ${slug} to another AI gateway`}
      about={`It uses ${from.gateway_id} until the new one works. Its Worker is redeployed; the state is kept.`}
      action="Move tenant"
      change={move}
      ready={target !== undefined && whyUnavailable(target, { of: environment }) === undefined}
      onSubmit={() => chosen && move.mutate({ params: { id: instance.id }, body: { ai_gateway_pool_id: chosen } })}
    >
      {others === undefined ? (
        pool.error === null ? (
          <Loading lines={3} />
        ) : (
          <QueryFault query={pool} />
        )
      ) : others.length === 0 ? (
        <Empty title="No other gateway in the pool">Add one first.</Empty>
      ) : (
        <ChoiceList
          label="New AI gateway"
          value={chosen}
          onChange={setChosen}
          options={others.map((entry) => ({
            value: entry.id,
            name: entry.gateway_id,
            unavailable: whyUnavailable(entry, { of: environment }),
            about: <Meter label="Tenants" value={entry.bound} max={entry.max_instances} />,
          }))}
        />
      )}
    </FormDialog>
  );
}
