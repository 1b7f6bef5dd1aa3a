/** Previews on copies of stacks, which show whether a handover would change the tenant. */
import * as z from "zod";
import { onCopies, platformStacksOf } from "#automation/engine/platform-stacks.ts";
import { encryptionOf } from "#automation/engine/project.ts";
import type { ResourceChange } from "#automation/engine/run/resource-change.ts";
import { nameOf, shortType } from "#automation/engine/run/resource-names.ts";
import { isUnchanging } from "#automation/engine/run/steps.ts";
import { EngineRuns } from "#automation/engine/runs.ts";
import {
  type ExportedState,
  exportState,
  qualifiedStack,
  ScratchBackend,
  scratchStack,
} from "#automation/engine/state/scratch-backend.ts";
import { CatalogueError } from "#domain/errors/catalogue-error.ts";
import { fleetHandoverErrors } from "#domain/errors/commands/fleet-handover.ts";
import { CONTAINER_INPUTS } from "#domain/tenants/container-change.ts";
import type { HandoverOptions } from "./handover.ts";

const CONTAINERS = "tenantry:index:ContainerApplication";

type RehearsalOptions = Pick<HandoverOptions, "variables" | "memoryMib" | "signal">;

/** Runs `work` with copies of stacks and removes them. @param states by stack; `undefined` if there is no such stack */
export async function rehearseHandover<T>(
  options: RehearsalOptions,
  states: Readonly<Record<string, ExportedState | undefined>>,
  work: (rehearsal: Rehearsal) => Promise<T>,
): Promise<T> {
  const rehearsal = new Rehearsal(options);
  try {
    for (const [stack, state] of Object.entries(states)) if (state !== undefined) rehearsal.hold(stack, state);
    return await work(rehearsal);
  } finally {
    rehearsal.close();
  }
}

export class Rehearsal {
  readonly #options: RehearsalOptions;
  readonly #scratch: ScratchBackend;
  readonly #held = new Set<string>();

  constructor(options: RehearsalOptions) {
    this.#options = options;
    this.#scratch = new ScratchBackend(options.variables);
  }

  get variables(): Readonly<Record<string, string>> {
    return this.#scratch.variables;
  }

  /** Copies a stack. @param what `outputs`: only its outputs. Default: the whole stack */
  hold(stack: string, state: ExportedState, what?: "outputs"): void {
    const name = scratchStack(stack);
    if (this.#held.has(name)) return;
    this.#held.add(name);
    this.#scratch.hold(name, state, what);
  }

  /** Returns what a deployment would change. @param variables for this run only @throws Error if the preview fails */
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
      { stack, operation: "preview", config: onCopies(config), encryption: encryptionOf(own?.deployment) },
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
    if (state === undefined) throw new CatalogueError(fleetHandoverErrors.handover_platform_not_found, { stack });
    this.hold(stack, state, "outputs");
  }
}

export interface AllowedChanges {
  /** URNs of resources that the stack may create or delete. Default: none. */
  handed?: readonly string[];
  /** Which updates are allowed. An update that restarts a container never is. */
  updates: "any" | "owners" | "none";
}

const OWNER_INPUTS: ReadonlySet<string> = new Set(["owner", "takeOver"]);

/** Returns the changes that a handover must not make, as `operation Type name`. */
export function forbiddenChanges(
  changes: readonly ResourceChange[],
  { handed = [], updates }: AllowedChanges,
): string[] {
  return changes
    .filter(({ type }) => !type.startsWith("pulumi:") && !type.startsWith("tenantry:components:"))
    .filter(({ operation, urn, type, paths }) => {
      if (isUnchanging(operation)) return false;
      if (operation !== "update") return !handed.includes(urn);
      if (type === CONTAINERS && paths.some((path) => CONTAINER_INPUTS.includes(path))) return true;
      return updates === "none" || (updates === "owners" && !paths.every((path) => OWNER_INPUTS.has(path)));
    })
    .map(({ operation, type, urn, paths }) =>
      [operation, shortType(type), nameOf(urn), ...(operation === "update" ? [`(${paths.join(", ")})`] : [])].join(" "),
    );
}

/** Returns the URN of the row of a tenant's client. */
export const clientRecord = (stack: string, slug: string): string =>
  `urn:pulumi:${stack}::tenantry::tenantry:components:Client$tenantry:index:DatabaseRecord::client-${slug}`;

const named = z.object({ resources: z.array(z.object({ urn: z.string() })).nullish() });

/** Returns the URNs of a stack's doors, with their keys and generated secrets. */
export const doorResources = ({ deployment }: ExportedState): string[] =>
  (named.parse(deployment).resources ?? [])
    .map(({ urn }) => urn)
    .filter((urn) => urn.includes("$tenantry:components:Door$"));
