import { renameSync, writeFileSync } from "node:fs";
import { parse } from "yaml";
import * as z from "zod";
import type { Encryption } from "#automation/engine/project.ts";
import { asSentence, CatalogueError } from "#domain/errors/catalogue-error.ts";
import { fleetFileErrors } from "#domain/errors/commands/fleet-files.ts";
import type { Connections } from "#stack/settings/connections.ts";
import { checkSettings, type Settings, stackSettings } from "#stack/settings/settings.ts";

export interface StackFile {
  stack: string;
  /** All values that the file sets. */
  config: Readonly<Record<string, unknown>>;
  /** Lines that say how the stack is encrypted; empty if it has none. */
  encryption: Encryption;
  settings: Settings;
}

const NAME = /^Pulumi\.([A-Za-z0-9_.-]{1,100})\.yaml$/;

const content = z.object({
  config: z.record(z.string(), z.unknown()).nullish(),
  encryptionsalt: z.string().optional(),
  secretsprovider: z.string().optional(),
  encryptedkey: z.string().optional(),
});

/** Returns `undefined` for names of other files. */
export const stackOfFile = (name: string): string | undefined => NAME.exec(name)?.[1];

export const fileOfStack = (stack: string): string => `Pulumi.${stack}.yaml`;

/** @throws Error with a line for each fault */
export function readStackFile(stack: string, text: string): StackFile {
  const { config, encryption } = readLoosely(stack, text);
  const settings = Object.fromEntries(
    Object.keys(stackSettings.shape).flatMap((key) => {
      const value = config[`tenantry:${key}`];
      if (value === undefined || value === null || value === "") return [];
      // Their names may be encrypted too.
      if (key === "doorSecrets" && JSON.stringify(value).includes('"secure"')) return [];
      return [[key, value]];
    }),
  );
  return { stack, config, encryption, settings: checkSettings(settings, NO_CONNECTIONS) };
}

/** Reads a file without checking its settings: a deleted file may be from an older release. @throws Error with one sentence */
export function readLoosely(stack: string, text: string): Omit<StackFile, "settings"> {
  const parsed = content.safeParse(parsedYaml(stack, text));
  if (!parsed.success)
    throw new CatalogueError(fleetFileErrors.stack_file_without_config, { file: fileOfStack(stack) });
  const { config, ...rest } = parsed.data;
  return { stack, config: config ?? {}, encryption: rest as Encryption };
}

/** Stacks of tenants have no connections. */
const NO_CONNECTIONS: Connections = {
  databaseUrl: undefined,
  restUrl: undefined,
  serviceRoleKey: undefined,
  accessIssuer: undefined,
};

function parsedYaml(stack: string, text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    const fault = asSentence((error as Error).message.split("\n")[0] ?? "");
    throw new CatalogueError(
      fleetFileErrors.stack_file_not_yaml,
      { file: fileOfStack(stack), fault },
      { cause: error },
    );
  }
}

/** Replaces a file atomically. */
export function writeWhole(path: string, text: string): void {
  const part = `${path}.part`;
  writeFileSync(part, text);
  renameSync(part, path);
}
