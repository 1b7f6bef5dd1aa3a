/** Secrets of a tenant's declared doors. A move decrypts them in the source's file and encrypts them in the target's: each stack has a key of its own. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { isMap, parseDocument } from "yaml";
import * as z from "zod";
import { CommandRefused, engineCommand } from "#automation/engine/command-line.ts";
import { encryptionOf, withProject } from "#automation/engine/project.ts";
import { exportState, qualifiedStack } from "#automation/engine/state/scratch-backend.ts";
import { CatalogueError } from "#domain/errors/catalogue-error.ts";
import { fleetMoveErrors as errors } from "#domain/errors/commands/fleet-move.ts";
import { failureText } from "../failure.ts";
import { readLoosely, writeWhole } from "../files/stack-file.ts";
import type { HandoverOptions } from "./handover.ts";
import type { DeclaringStack } from "./sources.ts";
import { printDocument } from "./tenant-file.ts";

const SETTING = "tenantry:doorSecrets";
/** By door and name. */
export type DoorSecrets = Readonly<Record<string, Readonly<Record<string, string>>>>;

const declared = z.record(z.string(), z.unknown());
const plain = z.record(z.string(), z.record(z.string(), z.record(z.string(), z.string())));
const shown = z.object({ [SETTING]: z.object({ value: z.string() }).optional() });

/** @returns the setting's entries by slug; values may be encrypted @throws Error if all entries are one encrypted value */
function entriesOf(file: string, config: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const entries = declared.catch({}).parse(config[SETTING] ?? {});
  if (typeof entries.secure === "string") throw new CatalogueError(errors.move_door_secrets_in_one_value, { file });
  return entries;
}

/** Whether a move must encrypt secrets for the target. @param target config of its file @throws Error unless both files have an entry for each client */
export function hasDoorSecrets(
  slug: string,
  from: Pick<DeclaringStack, "path" | "config">,
  target: { file: string; config: Readonly<Record<string, unknown>> },
): boolean {
  const secrets = entriesOf(from.path, from.config)[slug];
  const present = entriesOf(target.file, target.config)[slug];
  // An interrupted move may have written a part.
  return secrets !== undefined && namesOf(present).join() !== namesOf(secrets).join();
}

const namesOf = (secrets: unknown): string[] =>
  Object.entries(declared.catch({}).parse(secrets)).flatMap(([door, values]) =>
    Object.keys(declared.catch({}).parse(values)).map((name) => `${door}.${name}`),
  );

/** @throws Error if the source's key cannot decrypt them */
export async function readDoorSecrets(
  { stack, path, text }: DeclaringStack,
  { slug, variables, signal }: Pick<HandoverOptions, "slug" | "variables" | "signal">,
): Promise<DoorSecrets> {
  const { config, encryption } = readLoosely(stack, text);
  const args = ["config", "--json", "--show-secrets", "--stack", qualifiedStack(stack)];
  try {
    const read = (directory: string) => engineCommand(args, directory, variables, { signal });
    const output = await withProject(read, { stack, config: { [SETTING]: config[SETTING] }, encryption });
    return plain.parse(JSON.parse(shown.parse(JSON.parse(output))[SETTING]?.value ?? "{}"))[slug] ?? {};
  } catch (error) {
    if (!(error instanceof CommandRefused)) throw error;
    throw new CatalogueError(errors.move_door_secrets_unreadable, { file: path, slug, cause: failureText(error) });
  }
}

/** Returns the settings of a preview, with a tenant's secrets. */
export const withDoorSecrets = (
  config: Readonly<Record<string, unknown>>,
  slug: string,
  secrets: DoorSecrets | undefined,
): Readonly<Record<string, unknown>> =>
  secrets === undefined
    ? config
    : { ...config, [SETTING]: { ...declared.catch({}).parse(config[SETTING]), [slug]: secrets } };

/** Returns the text of a file without a tenant's secrets. */
export function withoutDoorSecrets(text: string, slug: string): string {
  const document = parseDocument(text);
  const at = ["config", SETTING];
  if (!document.hasIn([...at, slug])) return text;
  document.deleteIn([...at, slug]);
  const left = document.getIn(at);
  if (isMap(left) && left.items.length === 0) document.deleteIn(at);
  return printDocument(document, text);
}

/** Encrypts a tenant's secrets in the file of a stack that exists. */
export async function writeDoorSecrets(
  file: string,
  stack: string,
  secrets: DoorSecrets,
  { slug, variables, signal }: Pick<HandoverOptions, "slug" | "variables" | "signal">,
): Promise<void> {
  const state = await exportState(stack, variables);
  const text = readFileSync(file, "utf8");
  if (Object.keys(readLoosely(stack, text).encryption).length === 0) {
    const document = parseDocument(text);
    for (const [key, value] of Object.entries(encryptionOf(state?.deployment))) document.set(key, value);
    writeWhole(file, printDocument(document, text));
  }
  for (const [door, values] of Object.entries(secrets)) {
    for (const [name, value] of Object.entries(values)) {
      const path = [slug, door, name].map((part) => `[${JSON.stringify(part)}]`).join("");
      const where = ["--path", `${SETTING}${path}`, "--stack", qualifiedStack(stack), "--config-file", resolve(file)];
      const set = (directory: string) =>
        engineCommand(["config", "set", "--secret", ...where], directory, variables, { signal, input: value });
      await withProject(set, { stack });
    }
  }
}
