import { namedPlatform } from "#automation/engine/platform-stacks.ts";
import { replanOnLostSlot } from "#automation/engine/run/fault.ts";
import type { ResourceChange } from "#automation/engine/run/resource-change.ts";
import { EngineRuns } from "#automation/engine/runs.ts";
import type { Target } from "../files/target.ts";
import { backsUp, readTarget } from "../files/target-content.ts";
import { emptyReport, type StackReport } from "../outcome/report.ts";
import { referredPlatform, stackOutcome } from "../outcome/tenant-outcome.ts";
import type { PreviewOptions } from "./previews.ts";
import { whyUnneeded } from "./unneeded-removal.ts";

export type DeployOptions = Omit<PreviewOptions, "withoutSecrets"> & {
  /** Whether stacks whose files were deleted are destroyed. */
  destroy: boolean;
};

export class Deploy {
  readonly #options: DeployOptions;
  readonly #runs: EngineRuns;

  constructor(options: DeployOptions) {
    this.#options = options;
    this.#runs = new EngineRuns(options);
  }

  /** Deploys a stack as its file declares. @throws Error if the run fails */
  async up(target: Target): Promise<StackReport> {
    const { stack, file, removal } = target;
    const report = emptyReport(stack, file, removal);
    const { destroy, difference, signal, variables } = this.#options;
    const why = await whyUnneeded(target, variables);
    if (why !== undefined) return { ...report, basis: "files", notes: [why] };
    const content = readTarget(target);
    if (removal && !destroy)
      return { ...report, notes: ["its file was deleted; run up with --destroy to destroy the stack"] };
    const notes: string[] = [];
    return replanOnLostSlot(async () => {
      const changes: ResourceChange[] = [];
      await this.#runs.run(
        { stack, operation: removal ? "destroy" : "up", config: content.config, encryption: content.encryption },
        { onChange: (change) => changes.push(change), onRecovered: (what) => notes.push(what), signal },
      );
      const outcome = stackOutcome(changes, { difference, ...backsUp(content) });
      const platform = namedPlatform(referredPlatform(changes), content.config);
      return { ...report, basis: "engine", platform, ...outcome, notes };
    });
  }
}
