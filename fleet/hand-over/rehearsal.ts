/** What a hand-over's runs would do, told by the engine on copies of the stacks, and judged: a tenant is to be handed over as it stands. */

import { onCopies, platformStacksOf } from "#automation/engine/platform-stacks.ts";
import { encryptionOf } from "#automation/engine/project.ts";
import type { ResourceChange } from "#automation/engine/run/resource-change.ts";
import { nameOf, shortType } from "#automation/engine/run/resource-names.ts";
import { isUnchanging } from "#automation/engine/run/steps.ts";
import { type EngineOptions, EngineRuns } from "#automation/engine/runs.ts";
import {
  type ExportedState,
  exportState,
  qualifiedStack,
  ScratchBackend,
  scratchStack,
} from "#automation/engine/state/scratch-backend.ts";
import { CONTAINER_INPUTS } from "#domain/tenants/container-change.ts";

const CONTAINERS = "tenantry:index:ContainerApplication";

export interface RehearsalOptions extends EngineOptions {
  signal: AbortSignal;
}

export class Rehearsal {
  readonly #options: RehearsalOptions;
  readonly #scratch: ScratchBackend;
  readonly #held = new Set<string>();

  constructor(options: RehearsalOptions) {
    this.#options = options;
    this.#scratch = new ScratchBackend(options.variables);
  }

  /** Of the engine, for what is done to the copies. */
  get variables(): Readonly<Record<string, string>> {
    return this.#scratch.variables;
  }

  /** Copies a stack. @param what `outputs`: those alone. Default: all of it */
  hold(stack: string, state: ExportedState, what?: "outputs"): void {
    const name = scratchStack(stack);
    if (this.#held.has(name)) return;
    this.#held.add(name);
    this.#scratch.hold(name, state, what);
  }

  /**
   * What bringing a stack up would do.
   *
   * @param variables of this run alone. Default: none
   * @throws Error with what keeps it from being told, such as a refusal of the program
   */
  async preview(
    stack: string,
    config: Readonly<Record<string, unknown>>,
    variables: Readonly<Record<string, string>> = {},
  ): Promise<ResourceChange[]> {
    for (const platform of platformStacksOf(config)) await this.#holdPlatform(platform);
    const own = await exportState(scratchStack(stack), this.#scratch.variables);
    if (own === undefined) this.#scratch.hold(stack, undefined);
    const changes: ResourceChange[] = [];
    const runs = new EngineRuns({ ...this.#options, variables: { ...this.#scratch.variables, ...variables } });
    await runs.run(
      {
        stack,
        operation: "preview",
        config: { ...onCopies(config) },
        encryption: { ...encryptionOf(own?.deployment) },
      },
      { onChange: (change) => changes.push(change), signal: this.#options.signal },
    );
    return changes;
  }

  close(): void {
    this.#scratch.remove();
  }

  async #holdPlatform(stack: string): Promise<void> {
    if (this.#held.has(scratchStack(stack))) return;
    const state = await exportState(qualifiedStack(stack), this.#options.variables);
    if (state === undefined) throw new Error(`There is no stack ${stack}, which is to hold the platform.`);
    this.hold(stack, state, "outputs");
  }
}

export interface Allowed {
  /** URNs of resources that the stack may begin or cease to have. Default: none. */
  handed?: readonly string[];
  /** Whether resources may be changed where they are, as far as no container restarts. */
  updates: "any" | "owners" | "none";
}

/** Inputs of a resource that say whose it is. */
const OWNERS: ReadonlySet<string> = new Set(["owner", "takeOver"]);

/** What a run does that a hand-over may not do, as `operation Type name`. */
export function losses(changes: readonly ResourceChange[], { handed = [], updates }: Allowed): string[] {
  return changes
    .filter(({ type }) => !type.startsWith("pulumi:") && !type.startsWith("tenantry:components:"))
    .filter(({ operation, urn, type, paths }) => {
      if (isUnchanging(operation)) return false;
      if (operation === "update") {
        if (type === CONTAINERS && paths.some((path) => CONTAINER_INPUTS.includes(path))) return true;
        return updates === "none" || (updates === "owners" && !paths.every((path) => OWNERS.has(path)));
      }
      return !handed.includes(urn);
    })
    .map(({ operation, type, urn, paths }) =>
      [operation, shortType(type), nameOf(urn), ...(operation === "update" ? [`(${paths.join(", ")})`] : [])].join(" "),
    );
}

/** URN of the row of a tenant's client in a stack. */
export const clientRecord = (stack: string, slug: string): string =>
  `urn:pulumi:${stack}::tenantry::tenantry:components:Client$tenantry:index:DatabaseRecord::client-${slug}`;
