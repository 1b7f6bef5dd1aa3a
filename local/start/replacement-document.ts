import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Replacement } from "@tenantry/plugin-host";
import { REPLACEMENT_RISKS, type ReplacementRisk } from "#components/replacement-risks.ts";
import { servedReplacements } from "../providers/providers.ts";

export const DOCUMENT = join(import.meta.dirname, "../../docs/reference/replacements.md");

const ORDERS: Readonly<Record<Replacement["order"], string>> = {
  "create-first": "create, then delete",
  "delete-first": "delete, then create",
  "by-name": "delete first where the physical name stays, else create first",
};

const HEAD = `# Replacements

Some inputs of a resource cannot be changed in place: the engine creates another resource and deletes the old one. This page lists, for
every resource type that the stack declares, which inputs do that, in which order, what the delete removes, and what protects a running
platform. \`npm run replacements\` writes it from the providers' own declarations (\`local/\`, \`stack/provider/resources/\`) and from
\`components/replacement-risks.ts\`; a test fails when it is out of date.

- Inputs and orders of the types \`cloudflare\`, \`postgresql\` and \`random\` are those of the vendors' Pulumi plug-ins.
- With *create, then delete*, the delete runs at the end of the run. It uses the options that the **last** run saved: \`retainOnDelete\` or
  \`protect\` that the new version adds does not protect the resource in the run that replaces it.
- With *delete, then create*, nothing is there in between, and nothing is there afterwards when the create fails.
- A resource with another name or parent in the program is another resource, unless it has an alias: it is created, and the old one is deleted.
- \`protect\` refuses a replacement only while the new version declares it too.
- The stack declares no Access service tokens and no KV entries.
`;

/** @throws Error for a type that no provider serves */
function replacementRow([type, risk]: [string, ReplacementRisk], served: ReadonlyMap<string, Replacement>): string {
  const found = served.get(type);
  if (found === undefined)
    throw new Error(`No provider serves ${type}; remove it from components/replacement-risks.ts.`);
  const inputs = found.on === "every" ? "every input" : found.on.map((input) => `\`${input}\``).join(", ") || "none";
  const order = found.on.length === 0 ? "-" : ORDERS[found.order];
  const name = `\`${type.split(":")[0]}\` ${type.split(":").at(-1)}`;
  return `| ${name} | ${inputs} | ${order} | ${found.removes} | **${risk.danger}**: ${risk.reason} |`;
}

export async function replacementDocument(): Promise<string> {
  const served = new Map((await servedReplacements()).map((found) => [found.type, found]));
  return [
    HEAD,
    "| Resource | Inputs that replace it | Order | What a delete removes | On this platform |",
    "| --- | --- | --- | --- | --- |",
    ...Object.entries(REPLACEMENT_RISKS).map((entry) => replacementRow(entry, served)),
    "",
  ].join("\n");
}

if (import.meta.main) writeFileSync(DOCUMENT, await replacementDocument());
