/** Brings stacks to what their files declare. */

import { namedPlatform } from "#automation/engine/platform-stacks.ts";
import { planAnew } from "#automation/engine/run/plan-anew.ts";
import type { ResourceChange } from "#automation/engine/run/resource-change.ts";
import { EngineRuns } from "#automation/engine/runs.ts";
import type { Target } from "../files/target.ts";
import { backsUp, readTarget } from "../files/target-content.ts";
import { emptyReport, type StackReport } from "../outcome/report.ts";
import { referredPlatform, stackOutcome } from "../outcome/tenant-outcome.ts";
import type { LookOptions } from "./look.ts";
import { settled } from "./settled.ts";

export type DeployOptions = Omit<LookOptions, "withoutSecrets"> & {
  /** Whether stacks go whose files were deleted. */
  destroy: boolean;
};

export class Deploy {
  readonly #options: DeployOptions;
  readonly #runs: EngineRuns;

  constructor(options: DeployOptions) {
    this.#options = options;
    this.#runs = new EngineRuns(options);
  }

  /** @throws Error with what keeps it from being done */
  async up(target: Target): Promise<StackReport> {
    const { stack, file, removal } = target;
    const report = emptyReport(stack, file, removal);
    const { destroy, difference, signal, variables } = this.#options;
    const why = await settled(target, variables);
    if (why !== undefined) return { ...report, basis: "files", notes: [why] };
    const content = readTarget(target);
    if (removal && !destroy)
      return { ...report, notes: ["its file was deleted; it stays until up is given --destroy"] };
    const notes: string[] = [];
    return planAnew(async () => {
      const changes: ResourceChange[] = [];
      await this.#runs.run(
        {
          stack,
          operation: removal ? "destroy" : "up",
          config: content.config,
          encryption: content.encryption,
        },
        {
          onChange: (change) => changes.push(change),
          onRecovered: (what) => notes.push(what),
          signal,
        },
      );
      const outcome = stackOutcome(changes, { difference, ...backsUp(content) });
      const platform = namedPlatform(referredPlatform(changes), content.config);
      return { ...report, basis: "engine", platform, ...outcome, notes };
    });
  }
}
