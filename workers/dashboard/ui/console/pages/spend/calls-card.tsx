import { useInfiniteQuery } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { useState } from "react";
import { type CallOutcome, callOutcomes, type ModelCall } from "#workers/contracts/api/model-call-log.ts";
import { modelCallRoutes } from "#workers/contracts/api/model-calls.ts";
import { MAX_LIMIT } from "#workers/contracts/api/paging.ts";
import { readPages } from "#workers/dashboard/ui/api/queries.ts";
import { Badge, type Tone } from "#workers/dashboard/ui/kit/badge.tsx";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { CONTROL } from "#workers/dashboard/ui/kit/form/control.ts";
import {
  formatDuration,
  formatInstant,
  formatLongDay,
  formatMoney,
  formatNumber,
} from "#workers/dashboard/ui/kit/format.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { ChoiceFilter, SearchBox } from "#workers/dashboard/ui/kit/list/filters.tsx";
import { PagedTable } from "#workers/dashboard/ui/kit/list/paged-table.tsx";
import type { Column } from "#workers/dashboard/ui/kit/list/table.tsx";
import { Empty } from "#workers/dashboard/ui/kit/states.tsx";
import { CALLS_ID } from "./calls-link.tsx";
import { personName } from "./person-name.ts";

interface CallsCardProps {
  clientId: string;
  /** `YYYY-MM-DD`, in UTC; undefined for all days. */
  day: string | undefined;
  onDay: (day: string | undefined) => void;
}

export function CallsCard({ clientId, day, onDay }: CallsCardProps) {
  const [model, setModel] = useState("");
  const [outcome, setOutcome] = useState<CallOutcome>();
  const calls = useInfiniteQuery({
    ...readPages(modelCallRoutes.listModelCalls, {
      params: { client_id: clientId },
      query: {
        limit: MAX_LIMIT,
        ...(day !== undefined && { day }),
        ...(model !== "" && { model }),
        ...(outcome !== undefined && { outcome }),
      },
    }),
    // All loaded pages would be read again.
    refetchInterval: false,
  });
  return (
    <div id={CALLS_ID} className="scroll-mt-16">
      <Card
        title="Calls of models"
        about={`${day === undefined ? "All days, also outside the period above" : `${formatLongDay(day)}, in UTC`}, newest first, with what the filter of personal data found. Nobody sees prompts and responses here.`}
        actions={
          <>
            <input
              type="date"
              aria-label="Day of the calls"
              value={day ?? ""}
              onChange={({ currentTarget: { value } }) => onDay(value === "" ? undefined : value)}
              className={`${CONTROL} h-8.5`}
            />
            {day === undefined ? null : <Button onClick={() => onDay(undefined)}>All days</Button>}
            <SearchBox label="Model" placeholder="Exact name of a model" text={model} onChange={setModel} />
            <ChoiceFilter name="Outcome" value={outcome} values={callOutcomes} onChange={setOutcome} />
            <Button icon aria-label="Refresh calls" disabled={calls.isFetching} onClick={() => void calls.refetch()}>
              <RotateCw aria-hidden="true" />
            </Button>
          </>
        }
        flush
      >
        <PagedTable
          label="Calls of models"
          query={calls}
          columns={COLUMNS}
          idOf={({ id }) => id}
          empty={
            <Empty title={day === undefined ? "No calls" : `No calls on ${formatLongDay(day)}`}>
              {day === undefined ? "Calls appear once they end." : "There were none, or the log no longer keeps them."}
            </Empty>
          }
        />
      </Card>
    </div>
  );
}

const OUTCOMES = {
  blocked: "bad",
  flagged: "busy",
  failed: "bad",
  succeeded: "good",
} as const satisfies Readonly<Record<CallOutcome, Tone>>;

function outcomeOf({ findings, success }: ModelCall): CallOutcome {
  if (findings !== null) return findings.action;
  return success ? "succeeded" : "failed";
}

function Outcome({ call }: { call: ModelCall }) {
  const outcome = outcomeOf(call);
  const { findings, status_code } = call;
  const details = [
    ...(findings === null ? [] : [`in the ${findings.in.join(" and the ")}`]),
    ...(call.success || status_code === null ? [] : [`status ${status_code}`]),
  ];
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Badge tone={OUTCOMES[outcome]}>{outcome}</Badge>
      <span className="truncate text-quiet">{details.join(", ")}</span>
    </span>
  );
}

const COLUMNS: Column<ModelCall>[] = [
  { header: "Time", share: 1.8, cell: ({ at }) => formatInstant(at) },
  { header: "Model", share: 1.3, cell: ({ provider, model }) => `${provider}/${model}` },
  { header: "Person", from: "lg", cell: ({ person }) => personName(person) },
  { header: "Outcome", share: 1.4, from: "sm", cell: (call) => <Outcome call={call} /> },
  {
    header: "Tokens",
    right: true,
    from: "xl",
    share: 0.8,
    cell: ({ input_tokens, output_tokens }) => formatNumber(input_tokens + output_tokens),
  },
  {
    header: "Duration",
    right: true,
    from: "xl",
    share: 0.8,
    cell: ({ duration_ms }) => formatDuration(duration_ms / 1000),
  },
  {
    header: "Cost",
    right: true,
    share: 0.8,
    cell: ({ own_key, cost_micros }) => (own_key ? "own key" : formatMoney(cost_micros)),
  },
];
