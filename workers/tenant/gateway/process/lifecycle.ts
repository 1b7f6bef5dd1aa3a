/** Starts and restarts the gateway. Concurrent callers share one start and one restart. */
import type { StartAnswer } from "#workers/contracts/tenant/sandbox.ts";
import type { StartupCache } from "../../health/startup-cache.ts";
import type { SandboxPort } from "../../sandbox/port.ts";
import type { SleepControl } from "../../sleep/control.ts";
import { StartBackoff } from "./start-backoff.ts";

export interface GatewayLifecycleOptions {
  sandbox: Pick<SandboxPort, "kill">;
  start: () => Promise<StartAnswer>;
  sleep: Pick<SleepControl, "settle">;
  startup: Pick<StartupCache, "clear">;
  waitUntil: (work: Promise<unknown>) => void;
}

/** A restart ended the gateway, and could not start it. The next active health check retries. */
export class StartFailed extends Error {
  override name = "StartFailed";

  constructor(cause: unknown) {
    super(`The gateway was ended, and its start failed: ${cause}`, { cause });
  }
}

export class GatewayLifecycle {
  readonly #o: GatewayLifecycleOptions;
  readonly #backoff = new StartBackoff();
  #starting: Promise<StartAnswer> | undefined;
  #restarting: Promise<StartAnswer> | undefined;

  constructor(options: GatewayLifecycleOptions) {
    this.#o = options;
  }

  /** Whether a start or a restart is in progress. */
  get isBusy(): boolean {
    return this.#starting !== undefined || this.isRestarting;
  }

  get isRestarting(): boolean {
    return this.#restarting !== undefined;
  }

  /** Whether a start is allowed now, or in progress. */
  get mayStart(): boolean {
    if (this.#starting !== undefined) return true;
    // The first step of a restart may require that no gateway runs.
    return !this.isRestarting && this.#backoff.permits(Date.now());
  }

  /** Resets the back-off, since the gateway runs. */
  resetBackoff(): void {
    this.#backoff.reset();
  }

  /** Starts the gateway, or joins the start in progress. */
  start(): Promise<StartAnswer> {
    if (this.#starting !== undefined) return this.#starting;
    this.#backoff.recordAttempt(Date.now());
    const starting = this.#o.start().finally(() => {
      this.#starting = undefined;
    });
    this.#starting = starting;
    // The start continues when its callers stop waiting.
    this.#o.waitUntil(starting.catch(() => {}));
    return starting;
  }

  /**
   * Ends the gateway and starts it again, or joins the restart in progress.
   *
   * @param before the first step
   * @throws StartFailed when the gateway was ended, and did not start
   */
  restart(before: () => Promise<unknown> = async () => {}): Promise<StartAnswer> {
    this.#o.startup.clear();
    this.#backoff.reset();
    this.#restarting ??= this.#restart(before).finally(() => {
      this.#restarting = undefined;
    });
    return this.#restarting;
  }

  async #restart(before: () => Promise<unknown>): Promise<StartAnswer> {
    await this.#starting?.catch(() => {});
    await this.#o.sleep.settle(true);
    await before();
    await this.#o.sandbox.kill();
    return this.start().catch((cause) => {
      throw new StartFailed(cause);
    });
  }
}
