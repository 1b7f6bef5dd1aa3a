/** Encrypts the states and files of a platform's stacks with another passphrase. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isMap, parseDocument } from "yaml";
import { engineCommand } from "#automation/engine/command-line.ts";
import { isSameStack, platformStackOf } from "#automation/engine/platform-stacks.ts";
import { encryptionOf, hasPassphrase, withProject } from "#automation/engine/project.ts";
import { listStacks } from "#automation/engine/state/backend.ts";
import { type ExportedState, exportState } from "#automation/engine/state/scratch-backend.ts";
import { unlockedCommand } from "#automation/engine/state/unlocked-command.ts";
import { CatalogueError } from "#domain/errors/catalogue-error.ts";
import { fleetRotationErrors } from "#domain/errors/commands/fleet-rotation.ts";
import { stackName } from "#domain/tenants/owner.ts";
import { fileOfStack, readLoosely, writeWhole } from "../files/stack-file.ts";
import type { RotateOptions } from "./options.ts";

const VARIABLE = "PULUMI_CONFIG_PASSPHRASE";

interface Stack {
  name: string;
  state: ExportedState;
  /** Undefined for a stack without a file, such as the dashboard's. */
  path: string | undefined;
}

/** The platform's stack is last, so that an interrupted run can find the others. @throws Error with one sentence */
export async function rotatePassphrase(options: RotateOptions): Promise<void> {
  const { stack: platform, variables, say } = options;
  const next = (await options.readValue()).trim();
  if (next === "") throw new CatalogueError(fleetRotationErrors.passphrase_input_empty);
  const named = { variable: VARIABLE };
  if (next === variables[VARIABLE]) throw new CatalogueError(fleetRotationErrors.passphrase_unchanged, named);
  if (variables[VARIABLE] === undefined) throw new CatalogueError(fleetRotationErrors.passphrase_not_set, named);
  const stacks = await stacksOf(options);
  for (const stack of stacks.toSorted((a, b) => Number(a.name === platform) - Number(b.name === platform))) {
    options.signal.throwIfAborted();
    if (await isEncryptedWith(next, stack, options)) say(`${stack.name}: already encrypted with the new passphrase.`);
    else {
      await changePassphrase(stack, next, options);
      say(`${stack.name}: encrypted with the new passphrase.`);
    }
  }
  if (await options.restartLocal?.(platform, { [VARIABLE]: next })) say("The local edge uses the new passphrase.");
  else say(`Set ${VARIABLE} to the new passphrase in pipelines and in the automation service.`);
}

async function stacksOf({ stack: platform, directory, variables }: RotateOptions): Promise<Stack[]> {
  const found: Stack[] = [];
  for (const { name } of await listStacks(variables)) {
    const state = await exportState(name, variables);
    const owner = platformStackOf(state);
    const isPart = isSameStack(name, platform) || (owner !== undefined && isSameStack(owner, platform));
    if (state === undefined || !isPart || !hasPassphrase(state.deployment)) continue;
    const file = fileOfStack(stackName(name));
    const path = [join(dirname(directory), file), join(directory, file)].find(existsSync);
    found.push({ name, state, path });
  }
  if (!found.some(({ name }) => isSameStack(name, platform))) {
    throw new CatalogueError(fleetRotationErrors.passphrase_of_no_stack, { stack: platform });
  }
  return found;
}

async function isEncryptedWith(
  passphrase: string,
  { name }: Stack,
  { variables, signal }: RotateOptions,
): Promise<boolean> {
  const args = ["stack", "export", "--show-secrets", "--stack", name];
  const environment = { ...variables, [VARIABLE]: passphrase };
  try {
    await withProject((directory) => engineCommand(args, directory, environment, { signal }));
    return true;
  } catch (error) {
    if (/passphrase/.test((error as Error).message)) return false;
    throw error;
  }
}

async function changePassphrase(
  { name, state, path }: Stack,
  next: string,
  { variables, signal, say: onRecovered }: RotateOptions,
): Promise<void> {
  const short = stackName(name);
  const text = path === undefined ? "" : readFileSync(path, "utf8");
  const { config } = path === undefined ? { config: {} } : readLoosely(short, text);
  const args = ["stack", "change-secrets-provider", "passphrase", "--stack", name];
  const reencrypt = async (directory: string) => {
    await unlockedCommand(args, directory, { variables, onRecovered, signal, input: `${next}\n` });
    if (path === undefined) return;
    writeWhole(path, withEncryption(text, readFileSync(join(directory, fileOfStack(short)), "utf8")));
  };
  await withProject(reencrypt, { stack: short, config, encryption: encryptionOf(state.deployment) });
}

/** Copies the salt and the encrypted values of `changed` to a file. */
function withEncryption(text: string, changed: string): string {
  const document = parseDocument(text);
  const other = parseDocument(changed);
  document.set("encryptionsalt", other.get("encryptionsalt"));
  const config = other.get("config");
  if (isMap(config)) {
    for (const { key } of config.items) {
      const at = ["config", String(key)];
      if (JSON.stringify(other.getIn(at)).includes('"secure"')) document.setIn(at, other.getIn(at));
    }
  }
  return document.toString({ lineWidth: 0 });
}
