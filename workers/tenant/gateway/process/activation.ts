/** Ensures that the gateway runs, with the environment of this deployment. */

import { withTimeout } from "@tenantry/std/within";
import { log } from "#workers/shared/log.ts";
import type { BackupMaker } from "../../backup/create/maker.ts";
import { StateNotReady } from "../../backup/errors.ts";
import type { RecordEvent } from "../../event-log.ts";
import type { Observation } from "../../health/observation.ts";
import type { EnvironmentMark } from "./environment.ts";
import type { GatewayLifecycle } from "./lifecycle.ts";

/** How long a health check waits for a start, in milliseconds. The start of a container may take longer. */
const START_WAIT_MS = 5_000;

export interface ActivationParts {
  lifecycle: Pick<GatewayLifecycle, "start" | "restart" | "mayStart" | "isRestarting">;
  environmentMark: Pick<EnvironmentMark, "isOutdated">;
  maker: Pick<BackupMaker, "backUp">;
  record: RecordEvent;
  waitUntil: (work: Promise<unknown>) => void;
}

/** Starts the gateway when neither it nor a start was observed. @returns the observation, updated by the start */
export async function ensureGateway(parts: ActivationParts, observation: Observation): Promise<Observation> {
  const { processes } = observation;
  if (!processes.ok) return observation;
  if (processes.value.processes.length > 0) {
    await restartIfOutdated(parts);
    return observation;
  }
  const { lifecycle } = parts;
  if (!lifecycle.mayStart) return observation;
  try {
    const answer = await withTimeout(START_WAIT_MS, lifecycle.start());
    if (answer === undefined) return observation;
    return { ...observation, processes: { ...processes, value: { processes: [answer.process] } } };
  } catch (error) {
    log("error", "start.failed", { message: String(error) });
    const at = new Date().toISOString();
    const message = error instanceof StateNotReady ? error.message : "the sandbox could not run the startup script";
    const failure = { at, exitCode: null, message };
    return { ...observation, processes: { ...processes, value: { processes: [], failure } } };
  }
}

/** Begins a restart when the gateway has the environment of an earlier deployment. */
async function restartIfOutdated(parts: ActivationParts): Promise<void> {
  const { lifecycle, environmentMark, maker, record, waitUntil } = parts;
  if (lifecycle.isRestarting || !(await environmentMark.isOutdated())) return;
  record("environment.changed", {});
  // The state survives the restart, so a failed backup does not stop it.
  const restart = lifecycle.restart(() => maker.backUp({ reason: "before_stop" }).catch(() => {}));
  waitUntil(restart.catch(() => {}));
}
