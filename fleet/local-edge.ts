/** A local edge that runs, as the engine is pointed at it: for `--state` alone, and loaded for that alone. */
import type { Environment } from "../domain/environment.ts";
import { startProvidersFor } from "../local/providers/providers.ts";
import { programEnvironment, stateEnvironment } from "../local/start/project.ts";
import { readEdgeFile, targetOf } from "../local/state/edge-file.ts";

export interface LocalEdge {
  /** Of the engine. */
  variables: Readonly<Record<string, string>>;
  /** Connections that the platform's own program reads of its environment. */
  platformVariables: (environment: Environment) => Readonly<Record<string, string>>;
  /** Ends what was started for it. */
  close: () => Promise<void>;
}

/** @param state its state directory, absolute @throws Error with one sentence where none runs there */
export async function openLocalEdge(state: string): Promise<LocalEdge> {
  const target = targetOf(readEdgeFile(state));
  const providers = await startProvidersFor(target);
  return {
    variables: { ...stateEnvironment(state, target, providers.port), CLOUDFLARE_BASE_URL: target.apiUrl },
    platformVariables: (environment) => programEnvironment(target, environment),
    close: async () => providers.stop(),
  };
}
