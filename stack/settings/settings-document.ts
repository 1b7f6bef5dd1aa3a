/** Writes the settings of a stack file for people: `docs/reference/settings.md`. */
import * as z from "zod";
import { settingsSchema } from "./schema.ts";

const property = z.object({
  type: z.string().optional(),
  description: z.string().optional(),
  enum: z.array(z.string()).optional(),
  default: z.unknown().optional(),
  get properties() {
    return z.record(z.string(), property).optional();
  },
  get items() {
    return property.optional();
  },
});
type Property = z.infer<typeof property>;

const document = z.object({ properties: z.object({ config: property }) });

const INTRODUCTION = `# Settings

Keys of \`Pulumi.<stack>.yaml\` and of the files in \`tenants/\`. Editors complete them from \`stack/settings/settings.schema.json\`. Set a secret
with \`npx pulumi config set --secret KEY VALUE\`. \`Pulumi.yaml\` describes the connections (\`databaseUrl\`, \`serviceRoleKey\`, …), which can also come from
\`TENANTRY_…\` variables.

This document is generated. After a change of the settings, \`npm test -- stack/settings/settings-document -u\` writes it.
`;

/** The document, as Markdown. */
export function settingsDocument(): string {
  const { properties } = document.parse(JSON.parse(settingsSchema())).properties.config;
  const keys = Object.entries(properties ?? {});
  const hasSection = ([name, value]: [string, Property]) => fieldsOf(value) && name !== WRITTEN_BY_COMMANDS;
  const plain = keys.filter((key) => !hasSection(key));
  const sections = keys.filter(hasSection).map(([name, value]) => settingSection(name, value));
  return [INTRODUCTION, settingTable(plain), ...sections].join("\n");
}

/** Commands write its fields, so that readers need none of them. */
const WRITTEN_BY_COMMANDS = "tenantry:rotations";
const fieldsOf = (value: Property) => value.properties ?? value.items?.properties;

function settingSection(name: string, value: Property): string {
  const list = value.items ? "A list. " : "";
  return `## \`${name}\`\n\n${list}${value.description ?? ""}\n\n${settingTable(settingRows(Object.entries(fieldsOf(value) ?? {})))}`;
}

/** Fields of objects and lists follow their parent, with its name before theirs. */
function settingRows(fields: [string, Property][], path = ""): [string, Property][] {
  return fields.flatMap(([name, value]) => {
    const inner = Object.entries(fieldsOf(value) ?? {});
    const full = `${path}${name}`;
    return [[full, value], ...settingRows(inner, `${full}${value.items ? "[]" : ""}.`)] as [string, Property][];
  });
}

function settingTable(fields: [string, Property][]): string {
  const lines = fields.map(([name, { description = "", enum: choices }]) => {
    const values = choices ? ` One of ${choices.map((choice) => `\`${choice}\``).join(", ")}.` : "";
    return `| \`${name}\` | ${`${description}${values}`.replaceAll("|", "\\|")} |`;
  });
  return ["| key | meaning |", "| --- | --- |", ...lines, ""].join("\n");
}
