/** Documents of statements and the tests that prove each: the requirements of the contract, and the threats to the platform. */
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

const sectionsOf = (file: string): readonly Section[] =>
  z.array(section).parse(JSON.parse(readFileSync(join(import.meta.dirname, file), "utf8")));

export interface ProvenDocument {
  /** Path from the root. */
  path: string;
  sections: readonly Section[];
  text: string;
}

function provenDocument(path: string, file: string, subject: string, introduction: string): ProvenDocument {
  const sections = sectionsOf(file);
  const generated = `This document is generated from \`tests/contract/${file}\`. After a change, \`npm test -- tests/contract/contract-document -u\` writes it.`;
  const tables = sections.map((one) => tableOf(one, subject));
  return { path, sections, text: [introduction, "", generated, "", ...tables].join("\n") };
}

function tableOf({ title, requirements }: Section, subject: string): string {
  const lines = requirements.map(({ requirement, tests }) => {
    const proofs = Object.entries(tests).map(
      ([file, titles]) => `\`${file}\`: ${titles.map((one) => `"${one}"`).join(", ")}`,
    );
    return `| ${requirement} | ${proofs.join("; ")} |`.replaceAll("\n", " ");
  });
  return [`## ${title}`, "", `| ${subject} | tests |`, "| --- | --- |", ...lines, ""].join("\n");
}

export const provenDocuments: readonly ProvenDocument[] = [
  provenDocument(
    "docs/reference/contract.md",
    "requirements.json",
    "requirement",
    `# Requirements and their tests

Each requirement of the contract on traffic and control plane, and the tests that prove it. [Decisions](../decisions.md) lists choices where the contract is silent.`,
  ),
  provenDocument(
    "docs/reference/threats.md",
    "threats.json",
    "threat, and what stops it",
    `# Threats and their tests

What each actor of the [security model](../explanation/security.md) may try, what stops it, and the tests that show it.`,
  ),
];
