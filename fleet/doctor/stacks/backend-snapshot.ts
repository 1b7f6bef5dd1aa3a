import type { EngineVariables } from "#automation/engine/command-line.ts";
import { listStacks } from "#automation/engine/state/backend.ts";
import { exportState, qualifiedStack } from "#automation/engine/state/scratch-backend.ts";
import { asSentence, CatalogueError } from "#domain/errors/catalogue-error.ts";
import { fleetRunErrors } from "#domain/errors/commands/fleet-runs.ts";
import { eachAtMost } from "../../runs/bounded.ts";
import { type Platform, platformOf } from "../platform.ts";
import { type StackFacts, stackFacts } from "./stack-facts.ts";

interface BackendOptions {
  variables: EngineVariables;
  /** Number of stacks that are read concurrently. */
  parallel: number;
  signal: AbortSignal;
}

interface ReadStack {
  resourceCount: number | undefined;
  facts: StackFacts;
  platform: Platform | undefined;
}

/** All stacks of the backend at one time. It is complete: a stack that cannot be read may have any resource. */
export class BackendSnapshot {
  readonly #options: BackendOptions;
  readonly #read: ReadonlyMap<string, ReadStack>;

  private constructor(options: BackendOptions, read: ReadonlyMap<string, ReadStack>) {
    this.#options = options;
    this.#read = read;
  }

  /** @throws Error if the list or a stack cannot be read */
  static read(options: BackendOptions): Promise<BackendSnapshot> {
    return BackendSnapshot.#load(options, new Map());
  }

  /** Returns a new snapshot. Reads only stacks that were written since. @throws as `read` does */
  refresh(): Promise<BackendSnapshot> {
    return BackendSnapshot.#load(this.#options, this.#read);
  }

  static async #load(options: BackendOptions, before: ReadonlyMap<string, ReadStack>): Promise<BackendSnapshot> {
    const { variables, parallel, signal } = options;
    const listed = await listStacks(variables);
    const read = await eachAtMost(parallel, listed, async ({ name, lastUpdate, resourceCount }) => {
      signal.throwIfAborted();
      const known = before.get(name);
      // An imported state keeps its first time of writing.
      const isSame = known?.facts.lastUpdate === lastUpdate && known?.resourceCount === resourceCount;
      if (known !== undefined && lastUpdate !== undefined && isSame) return known;
      const state = await exportState(name, variables).catch((error: unknown) => {
        const fault = asSentence((error as Error).message);
        throw new CatalogueError(fleetRunErrors.doctor_stack_unreadable, { stack: name, fault }, { cause: error });
      });
      // Undefined if it was destroyed since the list was read.
      return state && { facts: stackFacts(name, lastUpdate, state), platform: platformOf(name, state), resourceCount };
    });
    const found = read.filter((stack) => stack !== undefined);
    return new BackendSnapshot(options, new Map(found.map((stack) => [stack.facts.stack, stack])));
  }

  get platforms(): Platform[] {
    return [...this.#read.values()].flatMap(({ platform }) => platform ?? []);
  }

  get stacks(): StackFacts[] {
    return [...this.#read.values()].map(({ facts }) => facts);
  }

  /** Returns the platform's stack, stacks that refer to it, and stacks that have names of its tenants' stacks. */
  stacksOf({ stack, environment }: Platform): StackFacts[] {
    const name = qualifiedStack(stack);
    const tenantPrefix = `${name.split("/").slice(0, -1).join("/")}/${environment}-`;
    return this.stacks.filter(
      (facts) =>
        facts.stack === stack ||
        facts.platform === name ||
        (facts.platform === undefined && qualifiedStack(facts.stack).startsWith(tenantPrefix)),
    );
  }
}
