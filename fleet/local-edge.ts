/** A local edge that runs, as the engine is pointed at it: for `--state` alone, and loaded for that alone. */
import { startProvidersFor } from "../local/providers/providers.ts";
import { stateEnvironment } from "../local/start/project.ts";
import { readEdgeFile, targetOf } from "../local/state/edge-file.ts";

export interface LocalEdge {
  /** Of the engine. */
  variables: Readonly<Record<string, string>>;
  /** Ends what was started for it. */
  close: () => Promise<void>;
}

/** @param state its state directory, absolute @throws Error with one sentence where none runs there */
export async function openLocalEdge(state: string): Promise<LocalEdge> {
  const target = targetOf(readEdgeFile(state));
  const providers = await startProvidersFor(target);
  return {
    variables: { ...stateEnvironment(state, target, providers.port), CLOUDFLARE_BASE_URL: target.apiUrl },
    close: async () => providers.stop(),
  };
}
