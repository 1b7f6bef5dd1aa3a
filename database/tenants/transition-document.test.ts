import { join } from "node:path";
import { expect, test } from "vitest";
import { stateDiagram, transitionDocument } from "./transition-document.ts";

const DOCUMENT = join(import.meta.dirname, "../../docs/reference/instance-states.md");

test("docs/reference/instance-states.md shows the table of transitions; `-u` writes it", async () => {
  await expect(transitionDocument()).toMatchFileSnapshot(DOCUMENT);
});

test("the diagram has one arrow for each pair of states, with every cause", () => {
  const row = { guard: "", by: "changeStatus" } as const;
  expect(
    stateDiagram([
      { ...row, cause: "a", from: ["none"], to: "provisioning" },
      { ...row, cause: "b", from: ["provisioning", "error"], to: "running" },
      { ...row, cause: "c", from: ["error"], to: "running" },
      { ...row, cause: "d", from: ["running"], to: "none" },
    ]),
  ).toBe(
    [
      "stateDiagram-v2",
      "  [*] --> provisioning: a",
      "  provisioning --> running: b",
      "  running --> [*]: d",
      "  error --> running: b<br/>c",
    ].join("\n"),
  );
});
