import { namedPlatform } from "#automation/engine/platform-stacks.ts";
import { replanOnLostSlot } from "#automation/engine/run/fault.ts";
import type { ResourceChange } from "#automation/engine/run/resource-change.ts";
import { EngineRuns } from "#automation/engine/runs.ts";
import type { Target } from "../files/target.ts";
import { backsUp, readTarget, whyUnneeded } from "../files/target-content.ts";
import { emptyReport, type StackReport } from "../outcome/report.ts";
import { referredPlatform, stackOutcome } from "../outcome/tenant-outcome.ts";
import type { PreviewOptions } from "./previews.ts";

export type DeployOptions = Omit<PreviewOptions, "withoutSecrets"> & {
  /** Whether stacks whose files were deleted are destroyed. */
  destroy: boolean;
};

/** Returns a function that deploys a stack as its file declares, and throws if the run fails. */
export function stackDeployer(options: DeployOptions): (target: Target) => Promise<StackReport> {
  const { destroy, difference, signal, variables } = options;
  const runs = new EngineRuns(options);
  return async (target) => {
    const { stack, file, removal } = target;
    const report = emptyReport(stack, file, removal);
    const why = await whyUnneeded(target, variables);
    if (why !== undefined) return { ...report, basis: "files", notes: [why] };
    const content = readTarget(target);
    const { config, encryption } = content;
    if (removal && !destroy)
      return { ...report, notes: ["its file was deleted; run up with --destroy to destroy the stack"] };
    const notes: string[] = [];
    return replanOnLostSlot(async () => {
      const changes: ResourceChange[] = [];
      await runs.run(
        { stack, operation: removal ? "destroy" : "up", config, encryption },
        { onChange: (change) => changes.push(change), onRecovered: (what) => notes.push(what), signal },
      );
      const outcome = stackOutcome(changes, { difference, ...backsUp(content) });
      const platform = namedPlatform(referredPlatform(changes), config);
      return { ...report, basis: "engine", platform, ...outcome, notes };
    });
  };
}
