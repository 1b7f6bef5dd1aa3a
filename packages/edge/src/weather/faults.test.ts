import { join } from "node:path";
import { expect, test } from "vitest";
import { faults } from "./faults.ts";

const DOCUMENT = join(import.meta.dirname, "../../docs/weather.md");
const INTRODUCTION = `# Weather

\`startEdge({ weather: { seed: 7 } })\` injects these faults. The same seed injects the same faults into the same operations. \`rates\` changes the share of a
fault, \`pace\` shortens all times, and \`edge.weather.pause()\` stops the faults until \`resume()\`. \`edge.log\` has one line per fault in the area \`weather\`.
[Rollouts of containers](coverage.md#outside-of-the-api) take the times of production, shortened by \`pace\`.

`;

const lines = Object.entries(faults).map(
  ([name, { where, rate, happens, documented, source }]) =>
    `| \`${name}\` | ${where} | ${100 * rate} % | ${happens} | ${documented} | ${source.startsWith("http") ? `[source](${source})` : source} |`,
);

test("docs/weather.md has the table of faults (update it with -u)", async () => {
  const table = [
    "| Fault | Where | Rate | What happens | What Cloudflare documents | Source |",
    "| --- | --- | ---: | --- | --- | --- |",
  ];
  await expect(`${INTRODUCTION}${[...table, ...lines].join("\n")}\n`).toMatchFileSnapshot(DOCUMENT);
});

test("the default rates of the API are ten percent in all", () => {
  const rates = Object.values(faults).flatMap(({ where, rate }) => (where === "api" ? [rate] : []));
  expect(rates.reduce((sum, rate) => sum + rate, 0)).toBeCloseTo(0.1);
});
