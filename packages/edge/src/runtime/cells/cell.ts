/** One namespaced script in a workerd of its own, so that nothing it does can hurt another. */
import { randomBytes } from "node:crypto";
import { within } from "@tenantry/std/within";
import { SECRET_HEADER, subrequestHeaders } from "../../http/internal-headers.ts";
import type { Destination } from "../../http/relay.ts";
import type { Workerd } from "../workerd/workerd.ts";
import { type Activity, CpuLimit } from "./cpu-limit.ts";

/** What one invocation may use. */
export interface Limits {
  /** Milliseconds. */
  cpu: number;
  subrequests: number | undefined;
  /** Subrequests that an invocation of one of the script's Durable Objects may make. */
  objectSubrequests: number | undefined;
}

/** How long a replaced cell may finish what it has begun, in milliseconds. */
const DRAIN_MS = 5_000;

/** Secret of a Worker's socket. */
export function socketSecret(): string {
  return randomBytes(32).toString("base64url");
}

export class Cell {
  /** Changes whenever the script, or what it is bound to, does. */
  readonly fingerprint: string;
  /** When the last request began or ended, in milliseconds of `performance.now()`. */
  lastUsed = performance.now();
  /** The same, with requests on the platform's own account. */
  lastCalled = performance.now();
  readonly #workerd: Workerd;
  readonly #port: number;
  readonly #secret: string;
  readonly #limit: CpuLimit;
  readonly #activities = new Set<Activity>();
  readonly #drained: (() => void)[] = [];
  #exceeded = false;
  #stopping: Promise<void> | undefined;

  /** @param onExceeded called once when the CPU limit ended the cell */
  constructor(o: {
    fingerprint: string;
    workerd: Workerd;
    port: number;
    secret: string;
    cpuMs: number;
    onExceeded: () => void;
  }) {
    this.fingerprint = o.fingerprint;
    this.#workerd = o.workerd;
    this.#port = o.port;
    this.#secret = o.secret;
    this.#limit = new CpuLimit({
      pid: o.workerd.pid,
      activities: this.#activities,
      ceiling: o.cpuMs,
      exceeded: () => {
        this.#exceeded = true;
        o.onExceeded();
      },
    });
  }

  /** Whether the CPU limit has ended this cell. */
  get exceeded(): boolean {
    return this.#exceeded;
  }

  /** Whether no request and no WebSocket is under way. */
  get idle(): boolean {
    return this.#activities.size === 0;
  }

  /**
   * Passes one request in by `send` and counts it while it lasts.
   * @param send gets the socket's address and headers that open it
   * @param isUse whether somebody uses the cell; a request on the platform's own account does not keep it
   */
  async serve(
    limits: Limits,
    send: (to: Destination) => Promise<void>,
    as: Omit<Destination, "port">,
    isUse: boolean,
  ): Promise<void> {
    const activity: Activity = { limit: limits.cpu, socket: false, used: 0 };
    this.#activities.add(activity);
    const called = () => {
      this.lastCalled = performance.now();
      if (isUse) this.lastUsed = this.lastCalled;
    };
    called();
    this.#limit.begin();
    try {
      await send({
        ...as,
        port: this.#port,
        headers: { ...as.headers, ...subrequestHeaders(limits), [SECRET_HEADER]: this.#secret },
        onProgress: () => this.#limit.progress(),
        onSocket: () => {
          activity.socket = true;
          this.#settleDrain();
        },
      });
    } finally {
      this.#activities.delete(activity);
      called();
      this.#settleDrain();
    }
  }

  /** Ends the process. @param drain lets requests, but not WebSockets, finish for a few seconds first */
  stop(drain: boolean): Promise<void> {
    this.#stopping ??= this.#stop(drain);
    return this.#stopping;
  }

  async #stop(drain: boolean): Promise<void> {
    if (drain && !this.#isDrained()) {
      await within(DRAIN_MS, new Promise<void>((resolve) => this.#drained.push(resolve)));
    }
    this.#limit.stop();
    await this.#workerd.stop();
  }

  #isDrained(): boolean {
    return [...this.#activities].every((activity) => activity.socket);
  }

  #settleDrain(): void {
    if (this.#isDrained()) for (const resolve of this.#drained.splice(0)) resolve();
  }
}
