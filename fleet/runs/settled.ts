import { type ExportedState, exportState } from "#automation/engine/state/scratch-backend.ts";
import type { Target } from "../files/target.ts";
import { isDashboards } from "../outcome/plain-state.ts";

/**
 * Why nothing is to be done about a stack whose file was deleted; `undefined` where there is, and of a file that is there.
 *
 * @param variables of the engine: where states are and how they are entered
 */
export async function settled(
  { stack, removal }: Pick<Target, "stack" | "removal">,
  variables: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  return removal ? whySettled(await exportState(stack, variables)) : undefined;
}

function whySettled(state: ExportedState | undefined): string | undefined {
  if (state === undefined) return "it is gone already";
  return isDashboards(state) ? "its tenant was released to the dashboard, and stays" : undefined;
}
