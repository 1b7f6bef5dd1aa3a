/** Generates `docs/reference/inbox-states.md` from the table of transitions. */
import { messageStates } from "#workers/contracts/tenant/inbox.ts";
import { type MessageNode, type MessageTransition, messageTransitions } from "./states.ts";

const nodeOf = (state: MessageNode) => (state === "none" ? "[*]" : state);

export function messageDiagram(rows: readonly MessageTransition[] = messageTransitions): string {
  const nodes: readonly MessageNode[] = ["none", ...messageStates];
  const arrows = nodes.flatMap((from) =>
    nodes.flatMap((to) => {
      const events = rows.filter((row) => row.from.includes(from) && row.to === to).map(({ event }) => event);
      return events.length === 0 ? [] : [`  ${nodeOf(from)} --> ${nodeOf(to)}: ${events.join("<br/>")}`];
    }),
  );
  return ["stateDiagram-v2", ...arrows].join("\n");
}

const rowOf = ({ event, from, to, guard, effects }: MessageTransition): string =>
  `| ${[event, from.join(", "), to, guard, effects.join(", ")].join(" | ")} |`;

export function messageDocument(): string {
  return `# States of a message

Each tenant's Supervisor has an inbox: a durable queue of messages from webhooks. The table in \`workers/tenant/inbox/states.ts\` holds every allowed
transition, and only \`InboxStore\` writes a state. \`none\`, and the black dots of the diagram, mean that the message is not stored.

- A webhook is acknowledged to its vendor after \`received\`. A repeated event ID of a door is not stored again for at least 7 days.
- Messages of a door and conversation are delivered in the order of their receipt, one at a time; at most 8 conversations at once.
- A failed attempt is repeated after a random time: up to 1 second, then doubling up to 5 minutes, until 24 hours after the receipt.
- The responses 400, 413, 415 and 422 are final at once; 401, 403, 404, 405 and 410 are final after 8 attempts.
- A message whose attempt ended the gateway is delivered while no other message is. After 3 such ends in sequence it is dead.
- No attempt counts while the gateway starts, restarts or sleeps, or while its tenant is frozen.
- Each attempt has the same \`X-Tenantry-Delivery\` (the message) and \`Idempotency-Key\` (the event ID). Delivery is at least once: a gateway must
  ignore a key that it has stored before.
- A container's disk is lost when it crashes. An accepted message is stored until a backup contains it, and is delivered again to a gateway
  whose state is from before.

This document is generated. After a change of the table, \`npm test -- workers/tenant/inbox/states -u\` writes it.

\`\`\`mermaid
${messageDiagram()}
\`\`\`

| event | from | to | guard | effects |
| --- | --- | --- | --- | --- |
${messageTransitions.map(rowOf).join("\n")}
`;
}
