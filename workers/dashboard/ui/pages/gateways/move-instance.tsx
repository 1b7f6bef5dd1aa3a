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
import { Empty, Failed, Loading } from "../../kit/states.tsx";
import { toast } from "../../kit/toast/toast.ts";

export interface MoveInstanceProps {
  instance: BoundInstance;
  /** The entry that it binds now. */
  from: AiGateway;
  onClose: () => void;
  onBegun: (job: Job) => void;
}

/** Moves a tenant to another entry of the pool. */
export default function MoveInstance({ instance, from, onClose, onBegun }: MoveInstanceProps) {
  const { slug } = instance.client;
  const { environment } = useViewer();
  const [chosen, setChosen] = useState<string>();
  const pool = useInfiniteQuery(readPages(aiGatewayRoutes.listAiGateways, { query: { limit: MAX_LIMIT } }));
  const others = pool.data?.pages.flatMap(({ data }) => data).filter(({ id }) => id !== from.id);
  const target = others?.find(({ id }) => id === chosen);
  const move = useChange(instanceRoutes.assignGateway, {
    also: ["jobs", "AI gateways"],
    onDone: (job) => {
      onBegun(job);
      onClose();
      toast({
        kind: "told",
        title: `${slug} moves to ${target?.gateway_id ?? "another AI gateway"}`,
        about: "Its Worker is deployed anew. You are told when it is there.",
      });
    },
  });
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Move ${slug} to another AI gateway`}
      about={`It binds ${from.gateway_id} until the new one works. Its Worker is deployed anew; what it knows stays.`}
      action="Move"
      busy={move.isPending}
      error={move.error}
      ready={target !== undefined && refusalOf(target, environment) === undefined}
      onSubmit={() => chosen && move.mutate({ params: { id: instance.id }, body: { ai_gateway_pool_id: chosen } })}
    >
      {others === undefined ? (
        pool.error === null ? (
          <Loading lines={3} />
        ) : (
          <Failed error={pool.error} onRetry={() => void pool.refetch()} retrying={pool.isFetching} />
        )
      ) : others.length === 0 ? (
        <Empty title="The pool has no other gateway">Add one first, then come back.</Empty>
      ) : (
        <fieldset className="flex flex-col gap-2">
          <legend className="sr-only">The AI gateway to move to</legend>
          {others.map((entry) => (
            <Target
              key={entry.id}
              entry={entry}
              refused={refusalOf(entry, environment)}
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
  /** Why it takes no further tenant. */
  refused: string | undefined;
  checked: boolean;
  onChoose: () => void;
}

function Target({ entry, refused, checked, onChoose }: TargetProps) {
  return (
    <label
      className={classes(
        "flex items-start gap-3 rounded-lg border px-3 py-2.5",
        checked ? "border-accent bg-accent-soft" : "border-line",
        refused === undefined && !checked && "hover:bg-hover",
      )}
    >
      <input
        type="radio"
        name="gateway"
        aria-label={`${entry.gateway_id}, ${formatNumber(entry.bound)} of ${formatNumber(entry.max_instances)} taken`}
        className="mt-0.5 size-4 shrink-0 accent-accent"
        checked={checked}
        disabled={refused !== undefined}
        onChange={onChoose}
      />
      <span className="min-w-0 flex-1">
        <Meter label={entry.gateway_id} value={entry.bound} most={entry.max_instances} />
        {refused === undefined ? null : <span className="mt-1 block text-xs text-quiet">It {refused}.</span>}
      </span>
    </label>
  );
}

/** As the API would refuse it. */
const refusalOf = ({ gateway_id, environment, enabled, bound, max_instances }: AiGateway, here: Environment) =>
  refusal(
    { gatewayId: gateway_id, environment: environment ?? undefined, enabled, bound, maxInstances: max_instances },
    here,
  );
