/** A local edge that runs, as the engine is pointed at it: for `--state` alone, and loaded for that alone. */

import type { Environment } from "#domain/environment.ts";
import { startProvidersFor } from "#local/providers/providers.ts";
import { SERVICE_RESTART_PATH } from "#local/service-restart.ts";
import { programEnvironment, stateEnvironment } from "#local/start/project.ts";
import { readEdgeFile, targetOf } from "#local/state/edge-file.ts";

export interface LocalEdge {
  /** Of the engine. */
  variables: Readonly<Record<string, string>>;
  /** Connections that the platform's own program reads of its environment. */
  platformVariables: (environment: Environment) => Readonly<Record<string, string>>;
  /** Has the automation service of `npm start` started again with other variables. @returns false where none runs for the stack */
  restartService: (stack: string, variables: Readonly<Record<string, string>>) => Promise<boolean>;
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
    restartService: async (stack, variables) => {
      const response = await fetch(new URL(SERVICE_RESTART_PATH, target.apiUrl), {
        method: "POST",
        headers: { authorization: `Bearer ${target.apiToken}`, "content-type": "application/json" },
        body: JSON.stringify({ stack, variables }),
      });
      if (response.status === 404) return false;
      if (!response.ok)
        throw new Error(`The local edge failed to restart the automation service (${response.status}).`);
      return true;
    },
    close: async () => providers.stop(),
  };
}
