/** A temporary backend with copies of stacks: runs in it do not change the original stacks. */
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as z from "zod";
import { CommandRefused, type EngineVariables, engineCommand } from "../command-line.ts";
import { withProject } from "../project.ts";
import { PROJECT } from "../project-name.ts";

const exportedState = z.looseObject({
  version: z.number(),
  deployment: z.looseObject({ resources: z.array(z.looseObject({ urn: z.string(), type: z.string() })).nullish() }),
});
export type ExportedState = z.infer<typeof exportedState>;

/** Versions in the engine's files. A stack's file is its exported state in another envelope. */
const BACKEND_VERSION = 1;
const CHECKPOINT_VERSION = 3;
const STACK = "pulumi:pulumi:Stack";

/** Adds the default project and organization to a stack's name. */
export function qualifiedStack(stack: string): string {
  const parts = stack.split("/");
  if (parts.length === 1) return `organization/${PROJECT}/${stack}`;
  return parts.length === 2 ? `organization/${stack}` : stack;
}

/** Returns the name of a stack's copy: file backends have one organization. */
export const scratchStack = (stack: string): string => qualifiedStack(stack).replace(/^[^/]+/, "organization");

/** Reads a stack's state without its passphrase. @returns `undefined` if the stack does not exist @throws CommandRefused */
export async function exportState(
  stack: string,
  variables: EngineVariables,
  signal?: AbortSignal,
): Promise<ExportedState | undefined> {
  const args = ["stack", "export", "--stack", stack];
  try {
    const text = await withProject((directory) => engineCommand(args, directory, variables, { signal }));
    return exportedState.parse(JSON.parse(text));
  } catch (error) {
    if (error instanceof CommandRefused && /no stack named/.test(error.message)) return undefined;
    throw error;
  }
}

export class ScratchBackend {
  readonly #directory = mkdtempSync(join(tmpdir(), "tenantry-preview-"));
  /** Environment of the engine for runs in this backend. */
  readonly variables: Readonly<Record<string, string>>;

  /** @param variables for the original backend */
  constructor(variables: EngineVariables) {
    const given = Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
    this.variables = {
      // New stacks of this backend need a passphrase, also if a key service encrypts the copies.
      ...(hasPassphraseVariable(variables) ? {} : { PULUMI_CONFIG_PASSPHRASE: randomBytes(24).toString("base64url") }),
      ...Object.fromEntries(given),
      PULUMI_BACKEND_URL: `file://${this.#directory}`,
    };
    mkdirSync(join(this.#directory, ".pulumi"));
    writeFileSync(join(this.#directory, ".pulumi/meta.yaml"), `version: ${BACKEND_VERSION}\n`);
  }

  /**
   * Copies a stack with its encrypted secrets; without a state, an empty one. @param what `outputs`: only its outputs. Default: all of it
   */
  hold(stack: string, state: ExportedState | undefined, what?: "outputs"): void {
    const name = scratchStack(stack);
    const { deployment, ...envelope } = state ?? { version: CHECKPOINT_VERSION, deployment: undefined };
    const latest = what === "outputs" && deployment !== undefined ? outputsOf(deployment) : deployment;
    const file = join(this.#directory, ".pulumi/stacks", `${name.split("/").slice(1).join("/")}.json`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ ...envelope, checkpoint: { stack: name, latest } }), { mode: 0o600 });
  }

  remove(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

/** Whether the engine's environment has a passphrase. */
export const hasPassphraseVariable = (variables: EngineVariables): boolean =>
  [variables.PULUMI_CONFIG_PASSPHRASE, variables.PULUMI_CONFIG_PASSPHRASE_FILE].some((value) => value !== undefined);

function outputsOf(deployment: ExportedState["deployment"]): ExportedState["deployment"] {
  const resources = deployment.resources?.filter(({ type }) => type === STACK) ?? [];
  return { ...deployment, resources, pending_operations: [] };
}
