/** One namespaced script in its own workerd process, which isolates it from other scripts. */
import { randomBytes } from "node:crypto";
import { withTimeout } from "@tenantry/std/within";
import type { ScriptRecord } from "../../cloudflare/kinds/scripts/record.ts";
import { SECRET_HEADER, subrequestHeaders } from "../../http/internal-headers.ts";
import type { Destination } from "../../http/relay.ts";
import type { Workerd } from "../workerd/workerd.ts";
import { type Activity, CpuLimit } from "./cpu-limit.ts";

export interface Limits {
  /** Milliseconds. */
  cpu: number;
  subrequests: number | undefined;
  /** Subrequests of one invocation of the script's Durable Objects. */
  objectSubrequests: number | undefined;
}

/** How long requests may take in a cell that is replaced. */
const DRAIN_MS = 5_000;

/** Returns a new secret of a Worker's socket. */
export function socketSecret(): string {
  return randomBytes(32).toString("base64url");
}

export interface CellOptions {
  /** Changes when the script or one of its bindings does. */
  fingerprint: string;
  workerd: Workerd;
  port: number;
  secret: string;
  cpuMs: number;
  /** Called once when the CPU limit is exceeded. */
  onExceeded: () => void;
}

export class Cell {
  readonly fingerprint: string;
  /** When the last request started or ended, in milliseconds of `performance.now()`. */
  lastUsed = performance.now();
  /** The same, including background requests. */
  lastCalled = performance.now();
  readonly #o: CellOptions;
  readonly #limit: CpuLimit;
  readonly #activities = new Set<Activity>();
  readonly #drained: (() => void)[] = [];
  #exceeded = false;
  #stopping: Promise<void> | undefined;

  constructor(options: CellOptions) {
    this.fingerprint = options.fingerprint;
    this.#o = options;
    this.#limit = new CpuLimit({
      pid: options.workerd.pid,
      activities: this.#activities,
      ceiling: options.cpuMs,
      onExceeded: () => {
        this.#exceeded = true;
        options.onExceeded();
      },
    });
  }

  /** Whether the CPU limit has ended this cell. */
  get exceeded(): boolean {
    return this.#exceeded;
  }

  get idle(): boolean {
    return this.#activities.size === 0;
  }

  /**
   * Passes a request to the cell.
   *
   * @param send gets the address of the socket and the headers that it requires
   * @param isUse false for a background request, which does not keep the cell alive
   */
  async serve(
    limits: Limits,
    send: (to: Destination) => Promise<void>,
    as: Omit<Destination, "port">,
    isUse: boolean,
  ): Promise<void> {
    const activity: Activity = { limit: limits.cpu, socket: false, used: 0 };
    const touch = () => {
      this.lastCalled = performance.now();
      if (isUse) this.lastUsed = this.lastCalled;
    };
    this.#activities.add(activity);
    touch();
    this.#limit.begin();
    try {
      await send({
        ...as,
        port: this.#o.port,
        headers: { ...as.headers, ...subrequestHeaders(limits), [SECRET_HEADER]: this.#o.secret },
        onProgress: () => this.#limit.progress(),
        onSocket: () => {
          activity.socket = true;
          this.#settleDrain();
        },
      });
    } finally {
      this.#activities.delete(activity);
      touch();
      this.#settleDrain();
    }
  }

  /** Ends the process. @param drain waits some seconds for open requests, not for WebSockets */
  stop(drain: boolean): Promise<void> {
    this.#stopping ??= this.#stop(drain);
    return this.#stopping;
  }

  async #stop(drain: boolean): Promise<void> {
    if (drain && !this.#isDrained()) {
      await withTimeout(DRAIN_MS, new Promise<void>((resolve) => this.#drained.push(resolve)));
    }
    this.#limit.stop();
    await this.#o.workerd.stop();
  }

  #isDrained(): boolean {
    return [...this.#activities].every((activity) => activity.socket);
  }

  #settleDrain(): void {
    if (this.#isDrained()) for (const resolve of this.#drained.splice(0)) resolve();
  }
}

/** Thrown for a script that does not exist, with Cloudflare's message. */
export class UnknownScriptError extends Error {
  override name = "UnknownScriptError";
  constructor() {
    super("Worker not found.");
  }
}

/**
 * Why a cell is needed: for a `request` of a client, for `background` work such as a cron event, which does not count as use, or for an
 * `alarm` of its Durable Objects.
 */
export type Purpose = "request" | "background" | "alarm";

/** Keeps a cell from ending as idle until its release. */
export interface Lease {
  cell: Cell;
  script: ScriptRecord;
  release(): void;
}
