import { exportState } from "#automation/engine/state/scratch-backend.ts";
import type { Target } from "../files/target.ts";
import { isDashboards } from "../outcome/plain-state.ts";

/** Returns why a stack whose file was deleted needs no removal; `undefined` if it does, or if its file exists. */
export async function whyUnneeded(
  { stack, removal }: Pick<Target, "stack" | "removal">,
  variables: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  if (!removal) return undefined;
  const state = await exportState(stack, variables);
  if (state === undefined) return "it is destroyed already";
  return isDashboards(state) ? "its tenant was released to the dashboard and stays" : undefined;
}
