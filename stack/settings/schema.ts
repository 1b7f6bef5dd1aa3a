/** The JSON schema of a stack file, for editors. `node stack/settings/schema.ts` writes it beside this file. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { stackSettings } from "./settings.ts";

export const SCHEMA_FILE = join(import.meta.dirname, "settings.schema.json");

export function settingsSchema(): string {
  const { $schema, properties, ...rest } = z.toJSONSchema(stackSettings, { io: "input", unrepresentable: "any" });
  const config = Object.fromEntries(Object.entries(properties ?? {}).map(([key, value]) => [`tenantry:${key}`, value]));
  const schema = {
    $schema,
    title: "Stack settings of Tenantry",
    type: "object",
    properties: { config: { ...rest, properties: config, additionalProperties: true } },
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

if (import.meta.main) writeFileSync(SCHEMA_FILE, settingsSchema());
