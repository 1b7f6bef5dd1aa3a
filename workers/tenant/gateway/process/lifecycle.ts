/** Starts the gateway and starts it again: one start and one restart at a time, however many ask. */
import type { StartAnswer } from "#workers/contracts/sandbox.ts";
import type { StateKeeper } from "../../backup/state-keeper.ts";
import { StateNotReady } from "../../backup/state-not-ready.ts";
import type { SandboxPort } from "../../sandbox/port.ts";
import { EnvironmentMark } from "./environment.ts";
import { StartBackoff } from "./start-backoff.ts";

export interface GatewayLifecycleOptions {
  sandbox: SandboxPort;
  keeper: StateKeeper;
  storage: DurableObjectStorage;
  /** Variables of the gateway. */
  environment: Record<string, string>;
  /** Starts it with the variables that belong to this start alone. */
  starting: (start: (variables: Record<string, string>) => Promise<StartAnswer>) => Promise<StartAnswer>;
  /** Whether a start is allowed at all. */
  isAllowed: () => Promise<boolean>;
  /** Waits until the sandbox is not falling asleep. */
  settled: () => Promise<void>;
  /** Is told that a start begins, of a gateway that is not there. */
  starts: () => Promise<void>;
  /** Is told that the sandbox was woken. */
  woken: () => Promise<void>;
  /** Turns traffic away until the gateway is seen ready. */
  shut: () => Promise<void>;
  /** Keeps the object alive for work that nobody waits for. */
  waitUntil: (work: Promise<unknown>) => void;
}

export class GatewayLifecycle {
  readonly #o: GatewayLifecycleOptions;
  readonly #mark: EnvironmentMark;
  readonly #backoff = new StartBackoff();
  #starting: Promise<StartAnswer> | undefined;
  #restarting: Promise<StartAnswer> | undefined;

  constructor(options: GatewayLifecycleOptions) {
    this.#o = options;
    this.#mark = new EnvironmentMark(options.storage, options.environment);
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
    // What a restart does before its own start may need the gateway to be gone.
    return !this.isRestarting && this.#backoff.permits(Date.now());
  }

  /** The gateway runs: failures before count no more. */
  runs(): void {
    this.#backoff.reset();
  }

  /** Starts the gateway, its state restored before if need be, or joins the start under way. */
  start(): Promise<StartAnswer> {
    if (this.#starting !== undefined) return this.#starting;
    this.#backoff.attempted(Date.now());
    const starting = this.#start().finally(() => {
      this.#starting = undefined;
    });
    this.#starting = starting;
    // Whoever waits may give up first; the start goes on.
    this.#o.waitUntil(starting.catch(() => {}));
    return starting;
  }

  /** Ends the gateway and starts it again, or joins the restart under way. @param before what is to be done first */
  restart(before: () => Promise<unknown> = async () => {}): Promise<StartAnswer> {
    this.#backoff.reset();
    this.#restarting ??= this.#restart(before).finally(() => {
      this.#restarting = undefined;
    });
    return this.#restarting;
  }

  /**
   * Begins a restart, with a backup before, when the gateway runs with the environment of an earlier deployment.
   *
   * @returns whether that is so
   */
  async renew(): Promise<boolean> {
    if (this.isRestarting || !(await this.#mark.isOutdated())) return false;
    this.#o.keeper.note("environment.changed", {});
    // The state outlives the restart, so a backup that fails does not hold it up.
    const restart = this.restart(() => this.#o.keeper.backUp().catch(() => {}));
    this.#o.waitUntil(restart.catch(() => {}));
    return true;
  }

  async #start(): Promise<StartAnswer> {
    const { sandbox, keeper, environment, shut } = this.#o;
    if (!(await this.#o.isAllowed()))
      throw new StateNotReady("the tenant may not be reached, so its gateway is not started");
    await this.#o.settled();
    await this.#o.starts();
    const state = await keeper.prepare();
    try {
      await shut();
      const answer = await this.#o.starting((variables) =>
        this.#mark.starting(() => sandbox.start({ ...environment, ...variables, ...state })),
      );
      await this.#o.woken();
      return answer;
    } finally {
      keeper.started();
    }
  }

  async #restart(before: () => Promise<unknown>): Promise<StartAnswer> {
    await this.#starting?.catch(() => {});
    await this.#o.settled();
    await before();
    await this.#o.sandbox.kill();
    return this.start();
  }
}
