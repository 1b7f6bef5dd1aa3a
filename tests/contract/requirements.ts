/** The requirements of the contract, and the tests that prove each: `docs/reference/contract.md`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

const section = z.object({
  title: z.string(),
  requirements: z.array(
    z.strictObject({
      requirement: z.string(),
      /** Titles of tests by their file, a path from the root. */
      tests: z.record(z.string(), z.array(z.string()).nonempty()),
    }),
  ),
});
export type Section = z.infer<typeof section>;

export const sections: readonly Section[] = z
  .array(section)
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, "requirements.json"), "utf8")));

const INTRODUCTION = `# Requirements and their tests

Each requirement of the contract on traffic and control plane, and the tests that prove it. [Decisions](../decisions.md) lists choices where the contract is silent.

This document is generated from \`tests/contract/requirements.json\`. After a change, \`npm test -- tests/contract/contract-document -u\` writes it.
`;

/** The document, as Markdown. */
export function contractDocument(): string {
  const tables = sections.map(({ title, requirements }) => {
    const lines = requirements.map(({ requirement, tests }) => {
      const proofs = Object.entries(tests).map(
        ([file, titles]) => `\`${file}\`: ${titles.map((one) => `"${one}"`).join(", ")}`,
      );
      return `| ${requirement} | ${proofs.join("; ")} |`.replaceAll("\n", " ");
    });
    return [`## ${title}`, "", "| requirement | tests |", "| --- | --- |", ...lines, ""].join("\n");
  });
  return [INTRODUCTION, ...tables].join("\n");
}
