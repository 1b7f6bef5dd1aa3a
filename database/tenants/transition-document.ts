/** Generates `docs/reference/instance-states.md` from the table of transitions. */
import { instanceStates } from "#domain/tenants/instance-state.ts";
import { type Transition, transitions } from "./transitions.ts";

const NODES = [...instanceStates, "none"] as const;
type Node = (typeof NODES)[number];

const nodeOf = (state: Node) => (state === "none" ? "[*]" : state);

export function stateDiagram(rows: readonly Transition[] = transitions): string {
  const arrows = ["none" as const, ...instanceStates].flatMap((from) =>
    NODES.flatMap((to) => {
      const causes = rows.filter((row) => row.from.includes(from) && row.to === to).map(({ cause }) => cause);
      return causes.length === 0 ? [] : [`  ${nodeOf(from)} --> ${nodeOf(to)}: ${causes.join("<br/>")}`];
    }),
  );
  return ["stateDiagram-v2", ...arrows].join("\n");
}

const PERFORMED_BY: Readonly<Record<Transition["by"], string>> = {
  changeStatus: "`changeStatus`",
  createInstance: "`createInstance`",
  deleteRemoved: "`deleteRemoved`",
  stack: "a run of the stack",
};

/** Returns `column = 'a'`, or several of them; null becomes `is null`. */
function oneOf(column: string, values: readonly (string | null)[]): string {
  const parts = values.map((value) => `${column} ${value === null ? "is null" : `= '${value}'`}`);
  return parts.length === 1 ? parts.join("") : `(${parts.join(" or ")})`;
}

/** Returns the part of a guard that the statement checks, as SQL. */
function conditionOf({ when = {} }: Transition): string {
  const { frozen_from, managed_by, isOverdue } = when;
  const parts = [
    ...(frozen_from === undefined ? [] : [oneOf("frozen_from", frozen_from)]),
    ...(managed_by === undefined ? [] : [oneOf("managed_by", managed_by)]),
    ...(isOverdue ? ["state_deadline < now()"] : []),
  ];
  return parts.length === 0 ? "" : ` \`${parts.join(" and ")}\``;
}

function tableOf(rows: readonly Transition[]): string {
  const lines = rows.map((row) => {
    const from = row.from.length === instanceStates.length ? "any" : row.from.join(", ");
    const deadline = row.deadlineMinutes === undefined ? "" : `${row.deadlineMinutes} minutes`;
    return `| ${[from, row.to, row.cause, `${row.guard}${conditionOf(row)}`, deadline, PERFORMED_BY[row.by]].join(" | ")} |`;
  });
  return [
    "| from | to | cause | guard | deadline | performed by |",
    "| --- | --- | --- | --- | --- | --- |",
    ...lines,
  ].join("\n");
}

export function transitionDocument(): string {
  return `# States of an instance

An instance is in one of five states: \`${instanceStates.join("`, `")}\`. The table \`transitions\` in \`database/tenants/transitions.ts\` holds
every allowed transition, and only that file writes the column \`status\` of \`tenantry.instances\`. \`none\`, and the black dots of the diagram, mean that
there is no row.

- \`changeStatus\` refuses a transition that the table does not hold: its UPDATE names the allowed states, the generation that the caller read, and
  the condition of the guard. The condition is shown as SQL.
- A deadline belongs to the new state. The automation service takes an instance whose deadline has passed to \`error\` each minute.
- Stacks insert and delete the rows of the tenants that they declare. They do not change the status of a row.
- No SQL routine sets the column. The trigger \`check_instance_status\` sets the columns that follow from it.

This document is generated. After a change of the table, \`npm test -- database/tenants/transition-document -u\` writes it.

\`\`\`mermaid
${stateDiagram()}
\`\`\`

${tableOf(transitions)}
`;
}
