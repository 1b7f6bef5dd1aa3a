/** A backend of one's own for a while, with copies of stacks: what runs there leaves the real ones as they are. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { CommandRefused, type EngineVariables, engineCommand } from "./command-line.ts";
import { type Encryption, encryptionOf, RunProject } from "./project.ts";
import { PROJECT } from "./project-name.ts";

const exportedState = z.looseObject({
  version: z.number(),
  deployment: z.looseObject({ resources: z.array(z.looseObject({ urn: z.string(), type: z.string() })).nullish() }),
});
/** A stack's state, its secrets encrypted. */
export type ExportedState = z.infer<typeof exportedState>;

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
 * @returns `undefined` where there is no such stack
 * @throws Error with what the engine said
 */
export async function exportState(stack: string, variables: EngineVariables): Promise<ExportedState | undefined> {
  const project = new RunProject("export", {});
  try {
    const text = await engineCommand(["stack", "export", "--stack", stack], project.directory, variables);
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
  }

  /**
   * Copies a stack here.
   *
   * @param encryption what the stack's file says of it. Default: as the state is encrypted
   * @param what `outputs`: nothing but those, as references to it need. Default: all of it
   * @throws Error with what the engine said, where it cannot read the secrets for instance
   */
  async hold(stack: string, state: ExportedState, encryption?: Encryption, what?: "outputs"): Promise<void> {
    const name = scratchStack(stack);
    const project = new RunProject(name.split("/").at(-1) ?? name, {}, encryption ?? encryptionOf(state.deployment));
    try {
      const file = join(project.directory, "state.json");
      writeFileSync(file, JSON.stringify(what === "outputs" ? outputsOf(state) : state), { mode: 0o600 });
      await engineCommand(["stack", "init", name, "--no-select"], project.directory, this.variables);
      await engineCommand(["stack", "import", "--stack", name, "--file", file], project.directory, this.variables);
    } finally {
      project.remove();
    }
  }

  remove(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

/** Whether the engine is given a passphrase. */
export const hasPassphraseVariable = (variables: EngineVariables): boolean =>
  [variables.PULUMI_CONFIG_PASSPHRASE, variables.PULUMI_CONFIG_PASSPHRASE_FILE].some((value) => value !== undefined);

function outputsOf({ version, deployment }: ExportedState): ExportedState {
  const resources = deployment.resources?.filter(({ type }) => type === STACK) ?? [];
  return { version, deployment: { ...deployment, resources, pending_operations: [] } };
}
