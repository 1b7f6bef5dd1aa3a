import { join } from "node:path";
import { expect, test } from "vitest";
import { messageStates } from "#workers/contracts/tenant/inbox.ts";
import { type MessageNode, messageTransitions } from "./states.ts";
import { messageDiagram, messageDocument } from "./states-document.ts";

const DOCUMENT = join(import.meta.dirname, "../../../docs/reference/inbox-states.md");

test("docs/reference/inbox-states.md shows the table of transitions; `-u` writes it", async () => {
  await expect(messageDocument()).toMatchFileSnapshot(DOCUMENT);
});

test("the diagram has one arrow for each pair of states, with every event", () => {
  const row = { guard: "", effects: [] };
  expect(
    messageDiagram([
      { ...row, event: "a", from: ["none"], to: "queued" },
      { ...row, event: "b", from: ["queued", "dead"], to: "dropped" },
      { ...row, event: "c", from: ["dead"], to: "dropped" },
    ]),
  ).toBe(
    ["stateDiagram-v2", "  [*] --> queued: a", "  queued --> dropped: b", "  dead --> dropped: b<br/>c"].join("\n"),
  );
});

test("every state is reached from the receipt, and leads to the end of the message", () => {
  const leadsTo = (start: MessageNode): Set<MessageNode> => {
    const reached = new Set<MessageNode>();
    const open: MessageNode[] = [start];
    for (let node = open.pop(); node !== undefined; node = open.pop())
      for (const { from, to } of messageTransitions)
        if (from.includes(node) && !reached.has(to)) {
          reached.add(to);
          open.push(to);
        }
    return reached;
  };
  expect([...leadsTo("none")].sort()).toEqual([...messageStates, "none"].sort());
  for (const state of messageStates) expect([state, leadsTo(state).has("none")]).toEqual([state, true]);
});

test("each event has one transition, and only a message that is not stored is received", () => {
  expect(new Set(messageTransitions.map(({ event }) => event)).size).toBe(messageTransitions.length);
  expect(messageTransitions.filter(({ from }) => from.includes("none"))).toHaveLength(1);
});
