/** A running local edge, for `--state`. */

import type { Environment } from "#domain/environment.ts";
import { CatalogueError } from "#domain/errors/catalogue-error.ts";
import { fleetRotationErrors } from "#domain/errors/commands/fleet-rotation.ts";
import { localToken } from "#local/local-token.ts";
import { startProvidersFor } from "#local/providers/providers.ts";
import { SERVICE_RESTART_PATH } from "#local/service-restart.ts";
import { programEnvironment, stateEnvironment } from "#local/start/project.ts";
import { readEdgeFile, targetOf } from "#local/state/edge-file.ts";

export interface LocalEdge {
  /** Environment of the engine. */
  variables: Readonly<Record<string, string>>;
  /** Environment of a platform's own program. */
  platformVariables: (environment: Environment) => Readonly<Record<string, string>>;
  /** Restarts the automation service of `npm start`. @returns false if none runs for the stack */
  restartService: (stack: string, variables: Readonly<Record<string, string>>) => Promise<boolean>;
  /** Returns an Access token of a user for a host. @throws Error if access is denied */
  accessToken: (email: string, host: string) => Promise<string>;
  close: () => Promise<void>;
}

/** @param state absolute path of its state directory @throws Error if no edge runs there */
export async function openLocalEdge(state: string): Promise<LocalEdge> {
  const file = readEdgeFile(state);
  const target = targetOf(file);
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
        throw new CatalogueError(fleetRotationErrors.service_restart_failed, { status: response.status });
      return true;
    },
    accessToken: (email, host) => localToken(file, email, host),
    close: async () => providers.stop(),
  };
}
