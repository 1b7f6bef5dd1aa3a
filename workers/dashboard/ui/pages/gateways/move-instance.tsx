import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { refusal } from "#domain/ai-gateways/gateway-selection.ts";
import type { Environment } from "#domain/environment.ts";
import type { Job } from "#workers/contracts/api/jobs.ts";
import { MAX_LIMIT } from "#workers/contracts/api/paging.ts";
import { type AiGateway, aiGatewayRoutes, type BoundInstance } from "#workers/contracts/api/tenants/ai-gateways.ts";
import { instanceRoutes } from "#workers/contracts/api/tenants/instances.ts";
import { useChange } from "../../api/change.ts";
import { readPages } from "../../api/queries.ts";
import { useViewer } from "../../api/session.ts";
import { Meter } from "../../kit/chart/meter.tsx";
import { classes } from "../../kit/classes.ts";
import { FormDialog } from "../../kit/form/dialog.tsx";
import { formatNumber } from "../../kit/format.ts";
import { Empty, Loading, QueryFault } from "../../kit/states.tsx";

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
      ready={target !== undefined && unavailabilityOf(target, environment) === undefined}
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
        <fieldset className="flex flex-col gap-2">
          <legend className="sr-only">New AI gateway</legend>
          {others.map((entry) => (
            <Target
              key={entry.id}
              entry={entry}
              unavailable={unavailabilityOf(entry, environment)}
              checked={entry.id === chosen}
              onChoose={() => setChosen(entry.id)}
            />
          ))}
        </fieldset>
      )}
    </FormDialog>
  );
}

interface TargetProps {
  entry: AiGateway;
  unavailable: string | undefined;
  checked: boolean;
  onChoose: () => void;
}

function Target({ entry, unavailable, checked, onChoose }: TargetProps) {
  return (
    <label
      className={classes(
        "flex items-start gap-3 rounded-lg border px-3 py-2.5",
        checked ? "border-accent bg-accent-soft" : "border-line",
        unavailable === undefined && !checked && "hover:bg-hover",
      )}
    >
      <input
        type="radio"
        name="gateway"
        aria-label={`${entry.gateway_id}, ${formatNumber(entry.bound)} of ${formatNumber(entry.max_instances)} in use`}
        className="mt-0.5 size-4 shrink-0 accent-accent"
        checked={checked}
        disabled={unavailable !== undefined}
        onChange={onChoose}
      />
      <span className="min-w-0 flex-1">
        <Meter label={entry.gateway_id} value={entry.bound} max={entry.max_instances} />
        {unavailable === undefined ? null : <span className="mt-1 block text-xs text-quiet">It {unavailable}.</span>}
      </span>
    </label>
  );
}

const unavailabilityOf = ({ gateway_id, environment, enabled, bound, max_instances }: AiGateway, here: Environment) =>
  refusal(
    { gatewayId: gateway_id, environment: environment ?? undefined, enabled, bound, maxInstances: max_instances },
    here,
  );
