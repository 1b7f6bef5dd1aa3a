/** Previews and drift of stacks, on copies in a backend of their own. */

import {
  namedPlatform,
  onCopies,
  platformStackOf,
  platformStacksOf,
  refuseOtherPlatform,
} from "#automation/engine/platform-stacks.ts";
import { encryptionOf, hasPassphrase } from "#automation/engine/project.ts";
import type { ResourceChange } from "#automation/engine/run/resource-change.ts";
import { type EngineOptions, EngineRuns, type OpenRun } from "#automation/engine/runs.ts";
import { hasPendingOperations } from "#automation/engine/state/recovery.ts";
import {
  type ExportedState,
  exportState,
  hasPassphraseVariable,
  qualifiedStack,
  ScratchBackend,
  scratchStack,
} from "#automation/engine/state/scratch-backend.ts";
import { CatalogueError } from "#domain/errors/catalogue-error.ts";
import { fleetRunErrors } from "#domain/errors/commands/fleet-runs.ts";
import type { Target } from "../files/target.ts";
import { backsUp, type FileContent, readTarget, whyUnneeded } from "../files/target-content.ts";
import { declaredOutcome } from "../outcome/declared-outcome.ts";
import { deployedTenants, platformContainers } from "../outcome/plain-state.ts";
import type { MonthlyDifference } from "../outcome/prices.ts";
import { emptyReport, type StackReport } from "../outcome/report.ts";
import { driftOf, referredPlatform, stackOutcome } from "../outcome/tenant-outcome.ts";

export interface PreviewOptions extends EngineOptions {
  /** Whether states are read without their secrets even if there is a passphrase. */
  withoutSecrets: boolean;
  difference: MonthlyDifference;
  signal: AbortSignal;
}

interface States {
  own: ExportedState | undefined;
  /** By the names in the file; `undefined` for stacks that do not exist. */
  platforms: ReadonlyMap<string, ExportedState | undefined>;
}

export class Previews {
  readonly #options: PreviewOptions;
  readonly #scratch: ScratchBackend;
  readonly #runs: EngineRuns;
  readonly #platforms = new Map<string, Promise<ExportedState | undefined>>();
  /** Platforms whose outputs are copied. */
  readonly #held = new Set<string>();

  constructor(options: PreviewOptions) {
    this.#options = options;
    this.#scratch = new ScratchBackend(options.variables);
    this.#runs = new EngineRuns({ variables: this.#scratch.variables, memoryMib: options.memoryMib });
  }

  async preview(target: Target): Promise<StackReport> {
    const { stack, file, removal } = target;
    const why = await whyUnneeded(target, this.#options.variables);
    if (why !== undefined) return { ...emptyReport(stack, file, removal), basis: "files", notes: [why] };
    const content = readTarget(target);
    return this.#withRun((run) => this.#preview(target, content, run));
  }

  async drift(target: Target): Promise<StackReport> {
    const content = readTarget(target);
    return this.#withRun((run) => this.#drift(target, content, run));
  }

  close(): void {
    this.#scratch.remove();
  }

  async #preview(target: Target, content: FileContent, run: OpenRun | undefined): Promise<StackReport> {
    const { stack, file, removal } = target;
    const report = emptyReport(stack, file, removal);
    const states = await this.#statesOf(target, content);
    const { own, platforms } = states;
    const deployedOn = platformStackOf(own);
    refuseOtherPlatform(stack, own, content.config);
    const notes = hasPendingOperations(own?.deployment)
      ? [`an earlier run was interrupted; run npm run fleet -- recover ${stack}`]
      : [];
    const args = { difference: this.#options.difference, ...backsUp(content) };
    if (!this.#readsSecrets(own ?? firstState(platforms))) {
      const outcome = { ...args, clients: content.clients, deployed: deployedTenants(own) };
      const platform = namedPlatform(deployedOn, content.config);
      const containers = platformContainers(
        platform !== null ? platforms.get(platform) : platforms.size === 1 ? firstState(platforms) : undefined,
      );
      const tenants = declaredOutcome({ ...outcome, containers });
      return { ...report, basis: "files", platform, tenants, notes: [...notes, WITHOUT_SECRETS] };
    }
    const changes = await this.#run(run, target, content, states, removal ? "preview-destroy" : "preview");
    const found = stackOutcome(changes, args);
    if (!removal) notes.push(...missingPlatforms(platforms));
    const platform = namedPlatform(referredPlatform(changes) ?? deployedOn, content.config);
    return { ...report, basis: "engine", platform, ...found, notes };
  }

  async #drift(target: Target, content: FileContent, run: OpenRun | undefined): Promise<StackReport> {
    const report = emptyReport(target.stack, target.file, target.removal);
    const states = await this.#statesOf(target, content);
    const { own } = states;
    if (own === undefined) return { ...report, basis: "files", notes: ["it is not deployed"] };
    if (!this.#readsSecrets(own)) {
      throw new CatalogueError(fleetRunErrors.drift_without_passphrase);
    }
    const changes = await this.#run(run, target, content, states, "drift");
    const platform = namedPlatform(platformStackOf(own), content.config);
    return { ...report, basis: "engine", platform, drift: driftOf(changes) };
  }

  /** Starts the run's process before the states are read, and ends it if no run needs it. */
  async #withRun<T>(work: (run: OpenRun | undefined) => Promise<T>): Promise<T> {
    const run = this.#options.withoutSecrets ? undefined : this.#runs.open();
    try {
      return await work(run);
    } finally {
      run?.close();
    }
  }

  #readsSecrets(state: ExportedState | undefined): boolean {
    const { variables, withoutSecrets } = this.#options;
    return !withoutSecrets && (hasPassphraseVariable(variables) || !hasPassphrase(state?.deployment));
  }

  async #statesOf({ stack }: Target, { config }: FileContent): Promise<States> {
    const names = platformStacksOf(config);
    const [own, ...platforms] = await Promise.all([
      exportState(stack, this.#options.variables),
      ...names.map((name) => this.#platform(name)),
    ]);
    return { own, platforms: new Map(names.map((name, index) => [name, platforms[index]])) };
  }

  #platform(stack: string): Promise<ExportedState | undefined> {
    const name = qualifiedStack(stack);
    const state = this.#platforms.get(name) ?? exportState(name, this.#options.variables);
    this.#platforms.set(name, state);
    return state;
  }

  async #run(
    run: OpenRun | undefined,
    { stack }: Target,
    { config, encryption }: FileContent,
    { own, platforms }: States,
    operation: "preview" | "preview-destroy" | "drift",
  ): Promise<ResourceChange[]> {
    const stackEncryption =
      Object.keys(encryption).length > 0 ? encryption : encryptionOf((own ?? firstState(platforms))?.deployment);
    for (const [name, state] of platforms) if (state !== undefined) this.#holdPlatform(name, state);
    this.#scratch.hold(stack, own);
    const changes: ResourceChange[] = [];
    await (run ?? this.#runs.open()).carryOut(
      { stack, operation, config: onCopies(config), encryption: stackEncryption },
      { onChange: (change) => changes.push(change), signal: this.#options.signal },
    );
    return changes;
  }

  #holdPlatform(stack: string, state: ExportedState): void {
    const name = scratchStack(stack);
    if (!this.#held.has(name)) this.#scratch.hold(name, state, "outputs");
    this.#held.add(name);
  }
}

const firstState = (platforms: States["platforms"]) => [...platforms.values()].find((state) => state !== undefined);

function missingPlatforms(platforms: States["platforms"]): string[] {
  const missing = [...platforms].filter(([, state]) => state === undefined).map(([name]) => name);
  if (missing.length === 0 && platforms.size > 0) return [];
  const which = platforms.size > 1 ? `its platform ${missing.join(" and ")}` : "its platform";
  return [`${which} is not deployed, so the preview is incomplete`];
}

const WITHOUT_SECRETS =
  "previewed without the passphrase, from its file and the plain values of its state; this does not show the number of changed resources, " +
  "changes by another release of the program, the AI gateway of a new tenant, or refusals";
