/**
 * Detects a gateway that hangs: its process runs, no startup script runs, and it has not been live for a while. The result is stored: the
 * object may be evicted between observations.
 */
import * as z from "zod";
import type { Observation } from "./observation.ts";
import { livenessProbe } from "./probes.ts";

/** How long a gateway may not be live before it is restarted, in milliseconds. Pollers report it as dead after five minutes. */
export const HANG_MS = 30 * 1000;
/** Each consecutive restart doubles that time, up to this many times: 64 minutes. */
const MAX_DOUBLINGS = 7;
/** A gateway that is live this long after a restart counts as recovered, in milliseconds. */
const RECOVERED_MS = 60 * 60 * 1000;

const KEY = "gateway-hang";

const watched = z.object({
  /** Times are in milliseconds since the epoch. */
  unanswered: z.object({ process: z.string(), since: z.number() }).optional(),
  /** Consecutive restarts. */
  restarts: z.number().int().nonnegative(),
  restartedAt: z.number(),
});
type Watched = z.infer<typeof watched>;

export interface Hang {
  process: string;
  since: Date;
  /** Milliseconds until the restart; at most 0 when it is due. */
  leftMs: number;
}

export class HangWatch {
  readonly #storage: DurableObjectStorage;
  readonly #limitMs: number;
  #known: Watched | undefined;

  /** @param limitMs how long a gateway may not be live, in milliseconds */
  constructor(storage: DurableObjectStorage, limitMs: number = HANG_MS) {
    this.#storage = storage;
    this.#limitMs = limitMs;
  }

  /** @returns the hang, if the gateway hangs */
  async observe(observation: Observation): Promise<Hang | undefined> {
    const process = hangingGateway(observation);
    const known = await this.#load();
    if (process === undefined) {
      if (!livenessProbe(observation).ok) return undefined;
      const recovered = known.restarts > 0 && observation.at.getTime() - known.restartedAt > RECOVERED_MS;
      if (known.unanswered !== undefined || recovered)
        await this.#save({ restarts: recovered ? 0 : known.restarts, restartedAt: known.restartedAt });
      return undefined;
    }
    const at = observation.at.getTime();
    const limit = this.#limitMs * 2 ** Math.min(known.restarts, MAX_DOUBLINGS);
    if (known.unanswered?.process !== process) {
      await this.#save({ ...known, unanswered: { process, since: at } });
      return { process, since: new Date(at), leftMs: limit };
    }
    const { since } = known.unanswered;
    // A health call without a response shows that the gateway hung for the whole call.
    const until = at + observation.health.latencyMs;
    return { process, since: new Date(since), leftMs: since + limit - until };
  }

  /** Call when the gateway is restarted because of a hang. */
  async recordRestart(): Promise<void> {
    const { restarts } = await this.#load();
    await this.#save({ restarts: restarts + 1, restartedAt: Date.now() });
  }

  async #load(): Promise<Watched> {
    this.#known ??= watched.safeParse(await this.#storage.get(KEY)).data ?? { restarts: 0, restartedAt: 0 };
    return this.#known;
  }

  async #save(next: Watched): Promise<void> {
    this.#known = next;
    await this.#storage.put(KEY, next);
  }
}

/** Returns the process id of a gateway that is not live although no start is in progress. */
export function hangingGateway(observation: Observation): string | undefined {
  const { processes, restarting } = observation;
  if (!processes.ok || restarting === true || livenessProbe(observation).ok) return undefined;
  const list = processes.value.processes;
  return list.some(({ type }) => type === "script") ? undefined : list.find(({ type }) => type === "gateway")?.id;
}
