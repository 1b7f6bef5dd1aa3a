/** A backend of one's own for a while, with copies of stacks: what runs there leaves the real ones as they are. */
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as z from "zod";
import { CommandRefused, type EngineVariables, engineCommand } from "../command-line.ts";
import { RunProject } from "../project.ts";
import { PROJECT } from "../project-name.ts";

const exportedState = z.looseObject({
  version: z.number(),
  deployment: z.looseObject({ resources: z.array(z.looseObject({ urn: z.string(), type: z.string() })).nullish() }),
});
/** A stack's state, its secrets encrypted. */
export type ExportedState = z.infer<typeof exportedState>;

/** Of the files of a backend, as the engine writes them: a stack's is its exported state in another envelope. */
const BACKEND_VERSION = 1;
const CHECKPOINT_VERSION = 3;
const STACK = "pulumi:pulumi:Stack";

/** A name without a project is this project's; without an organization it is nobody's. */
export function qualifiedStack(stack: string): string {
  const parts = stack.split("/");
  if (parts.length === 1) return `organization/${PROJECT}/${stack}`;
  return parts.length === 2 ? `organization/${stack}` : stack;
}

/** The name that the copy of a stack has: in files there is but one organization. */
export const scratchStack = (stack: string): string => qualifiedStack(stack).replace(/^[^/]+/, "organization");

/**
 * Reads a stack's state, which takes no more than the right to read it, and no passphrase.
 *
 * @param variables of the engine: where states are and how they are entered
 * @param signal ends it. Default: nothing does
 * @returns `undefined` where there is no such stack
 * @throws Error with what the engine said
 */
export async function exportState(
  stack: string,
  variables: EngineVariables,
  signal?: AbortSignal,
): Promise<ExportedState | undefined> {
  const project = new RunProject("export", {});
  try {
    const text = await engineCommand(["stack", "export", "--stack", stack], project.directory, variables, { signal });
    return exportedState.parse(JSON.parse(text));
  } catch (error) {
    if (error instanceof CommandRefused && /no stack named/.test(error.message)) return undefined;
    throw error;
  } finally {
    project.remove();
  }
}

export class ScratchBackend {
  readonly #directory = mkdtempSync(join(tmpdir(), "tenantry-preview-"));
  /** Of the engine, for runs in this backend. */
  readonly variables: Readonly<Record<string, string>>;

  /** @param variables of the engine, for the real backend */
  constructor(variables: EngineVariables) {
    const given = Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
    this.variables = {
      // What is encrypted elsewhere, by a key service for instance, needs none; new stacks of this backend do.
      ...(hasPassphraseVariable(variables) ? {} : { PULUMI_CONFIG_PASSPHRASE: randomBytes(24).toString("base64url") }),
      ...Object.fromEntries(given),
      PULUMI_BACKEND_URL: `file://${this.#directory}`,
    };
    mkdirSync(join(this.#directory, ".pulumi"));
    writeFileSync(join(this.#directory, ".pulumi/meta.yaml"), `version: ${BACKEND_VERSION}\n`);
  }

  /**
   * Copies a stack here, as it is: its secrets stay encrypted as they are. Written as the engine itself would, whose commands for it
   * (`stack init`, `stack import`) take longer than many a preview.
   *
   * @param state `undefined` where there is none yet: the stack is then an empty one
   * @param what `outputs`: nothing but those, as references to it need. Default: all of it
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

/** Whether the engine is given a passphrase. */
export const hasPassphraseVariable = (variables: EngineVariables): boolean =>
  [variables.PULUMI_CONFIG_PASSPHRASE, variables.PULUMI_CONFIG_PASSPHRASE_FILE].some((value) => value !== undefined);

function outputsOf(deployment: ExportedState["deployment"]): ExportedState["deployment"] {
  const resources = deployment.resources?.filter(({ type }) => type === STACK) ?? [];
  return { ...deployment, resources, pending_operations: [] };
}
