/** A stack of tenants as its file declares it: `Pulumi.{stack}.yaml`. */
import { parse } from "yaml";
import * as z from "zod";
import type { Encryption } from "#automation/engine/project.ts";
import type { Connections } from "#stack/settings/connections.ts";
import { checkSettings, type Settings, stackSettings } from "#stack/settings/settings.ts";

export interface StackFile {
  stack: string;
  /** Of the file, with all that it sets. */
  config: Readonly<Record<string, unknown>>;
  /** What it says of how the stack is encrypted; empty while it says nothing. */
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

/** The stack of a file by its name; `undefined` where it is no stack's. */
export const stackOfFile = (name: string): string | undefined => NAME.exec(name)?.[1];

export const fileOfStack = (stack: string): string => `Pulumi.${stack}.yaml`;

/** @throws Error with one sentence or a line a fault: what is no YAML, or cannot be deployed */
export function readStackFile(stack: string, text: string): StackFile {
  const { config, encryption } = readLoosely(stack, text);
  const settings = Object.fromEntries(
    Object.keys(stackSettings.shape).flatMap((key) => {
      const value = config[`tenantry:${key}`];
      return value === undefined || value === null || value === "" ? [] : [[key, value]];
    }),
  );
  return { stack, config, encryption, settings: checkSettings(settings, NO_CONNECTIONS) };
}

/** What of a file takes no check: one that was deleted may be of an older release. @throws Error with one sentence */
export function readLoosely(stack: string, text: string): Omit<StackFile, "settings"> {
  const parsed = content.safeParse(parsedYaml(stack, text));
  if (!parsed.success) throw new Error(`${fileOfStack(stack)} is no stack's file: it has no mapping "config"`);
  const { config, ...rest } = parsed.data;
  return { stack, config: config ?? {}, encryption: rest as Encryption };
}

/** A stack of tenants needs none. */
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
    throw new Error(`${fileOfStack(stack)} is no YAML: ${(error as Error).message.split("\n")[0]}`, { cause: error });
  }
}
