/** Starts and restarts the gateway: one start and one restart at a time, however many callers ask. */
import type { StartAnswer } from "#workers/contracts/tenant/sandbox.ts";
import type { SandboxPort } from "../../sandbox/port.ts";
import type { GatewayStart } from "./start.ts";
import { StartBackoff } from "./start-backoff.ts";

export interface GatewayLifecycleOptions {
  sandbox: Pick<SandboxPort, "kill">;
  start: Pick<GatewayStart, "run">;
  sleep: {
    /** Waits until the sandbox is not falling asleep. */
    settled(wanted: boolean): Promise<void>;
  };
  startup: {
    /** Forgets that the startup succeeded. */
    clear(): void;
  };
  /** Keeps the object alive until the work is done. */
  waitUntil: (work: Promise<unknown>) => void;
}

export class GatewayLifecycle {
  readonly #o: GatewayLifecycleOptions;
  readonly #backoff = new StartBackoff();
  #starting: Promise<StartAnswer> | undefined;
  #restarting: Promise<StartAnswer> | undefined;

  constructor(options: GatewayLifecycleOptions) {
    this.#o = options;
  }

  /** Whether a start or a restart is under way. */
  get isBusy(): boolean {
    return this.#starting !== undefined || this.isRestarting;
  }

  /** Whether a restart is under way, so that a gateway that answers is about to end. */
  get isRestarting(): boolean {
    return this.#restarting !== undefined;
  }

  /** Whether a start may be tried now, or is under way. */
  get mayStart(): boolean {
    if (this.#starting !== undefined) return true;
    // The first step of a restart may need the gateway to be gone.
    return !this.isRestarting && this.#backoff.permits(Date.now());
  }

  /** The gateway runs, so earlier failures no longer delay a start. */
  runs(): void {
    this.#backoff.reset();
  }

  /** Starts the gateway, or joins the start under way. */
  start(): Promise<StartAnswer> {
    if (this.#starting !== undefined) return this.#starting;
    this.#backoff.attempted(Date.now());
    const starting = this.#o.start.run().finally(() => {
      this.#starting = undefined;
    });
    this.#starting = starting;
    // The start goes on when its callers stop waiting.
    this.#o.waitUntil(starting.catch(() => {}));
    return starting;
  }

  /** Ends the gateway and starts it again, or joins the restart under way. @param before the first step */
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
    await this.#o.sleep.settled(true);
    await before();
    await this.#o.sandbox.kill();
    return this.start();
  }
}
