import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { groupsBy } from "#domain/groups.ts";
import {
  addSpending,
  modelCallRoutes,
  type Spending,
  type SpendingBy,
  spendingBy,
} from "#workers/contracts/api/model-calls.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { CONTROL } from "#workers/dashboard/ui/kit/form/control.ts";
import { formatDays, formatLongDay, formatMoney, formatMonth, formatNumber } from "#workers/dashboard/ui/kit/format.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { type Column, DataTable } from "#workers/dashboard/ui/kit/list/table.tsx";
import { Empty, Loaded, Loading } from "#workers/dashboard/ui/kit/states.tsx";
import type { DayRange } from "./period.ts";
import { personName } from "./person-name.ts";

const BY_NAMES: Readonly<Record<SpendingBy, string>> = { model: "Model", person: "Person" };
const ROWS = { total: "In total", day: "By day", month: "By month" } as const;
type Rows = keyof typeof ROWS;

type Row = Spending["data"][number];

interface SpendingCardProps {
  clientId: string;
  period: DayRange;
}

export function SpendingCard({ clientId, period: { first, last } }: SpendingCardProps) {
  const [by, setBy] = useState<SpendingBy>("model");
  const [rows, setRows] = useState<Rows>("total");
  const query = useQuery({
    ...apiQuery(modelCallRoutes.getSpending, {
      params: { client_id: clientId },
      query: { by, per: rows === "month" ? "month" : "day", from: first, to: last },
    }),
    placeholderData: keepPreviousData,
  });
  return (
    <Card
      title="Spending by model and person"
      about={`${formatDays({ first, last })}, in UTC. Calls appear after about two minutes; your own provider keys cost nothing here.`}
      actions={
        <>
          <Choice label="Divide by" value={by} values={spendingBy} nameOf={(one) => BY_NAMES[one]} onChange={setBy} />
          <Choice
            label="Rows"
            value={rows}
            values={Object.keys(ROWS) as Rows[]}
            nameOf={(one) => ROWS[one]}
            onChange={setRows}
          />
        </>
      }
      flush
    >
      <Loaded query={query} loading={<Loading padded />}>
        {({ data, truncated }) => (
          <>
            {by === "person" ? (
              <p className="px-4 pb-3 text-quiet">
                OpenClaw names no person in its calls: people share its sessions, and any code of the agent could state
                a name. Only programs that name a person in a call are listed by person.
              </p>
            ) : null}
            <DataTable
              label="Spending"
              columns={columnsOf(by, rows)}
              rows={rows === "total" ? totals(data) : data}
              idOf={(row) => JSON.stringify([rows === "total" ? "" : row.period, row.provider, row.name])}
              empty={<Empty title="No spending in this period">Spending appears once the agent calls a model.</Empty>}
            />
            {truncated ? <p className="px-4 py-3 text-quiet">Entries with the lowest spending are omitted.</p> : null}
          </>
        )}
      </Loaded>
    </Card>
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  value: T;
  values: readonly T[];
  nameOf: (value: T) => string;
  onChange: (value: T) => void;
}

const Choice = <T extends string>({ label, value, values, nameOf, onChange }: ChoiceProps<T>) => (
  <select
    aria-label={label}
    value={value}
    onChange={({ currentTarget }) => onChange(values.find((one) => one === currentTarget.value) ?? value)}
    className={`${CONTROL} h-8.5`}
  >
    {values.map((one) => (
      <option key={one} value={one}>
        {nameOf(one)}
      </option>
    ))}
  </select>
);

const columnsOf = (by: SpendingBy, rows: Rows): Column<Row>[] => [
  { header: BY_NAMES[by], share: 1.6, cell: ({ name }) => (by === "person" ? personName(name) : (name ?? "Unknown")) },
  ...(rows === "total"
    ? []
    : [
        {
          header: rows === "month" ? "Month" : "Day",
          cell: (row: Row) => (rows === "month" ? formatMonth(row.period) : formatLongDay(row.period)),
        },
      ]),
  { header: "Spent", right: true, cell: ({ spent_micros }) => formatMoney(spent_micros) },
  { header: "Calls", right: true, from: "sm", cell: ({ calls }) => formatNumber(calls) },
  {
    header: "Tokens",
    right: true,
    from: "md",
    cell: ({ input_tokens, output_tokens }) => formatNumber(input_tokens + output_tokens),
  },
];

/** Adds up the periods, highest spending first. */
function totals(data: readonly Row[]): Row[] {
  const groups = groupsBy(data, ({ provider, name }) => JSON.stringify([provider, name]));
  return [...groups.values()]
    .map((group) => group.reduce(addSpending))
    .toSorted((one, other) => other.spent_micros - one.spent_micros);
}
