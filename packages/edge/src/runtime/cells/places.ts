/** A fixed number of places for cells. Requests for a place wait in a queue when all are taken. */

export interface Want {
  /** A client waits for a response. A request that joins may set it. */
  urgent: boolean;
  /** Whether the limit of the queue is ignored: an alarm must not be lost, and each script has at most one. */
  unbounded: boolean;
}

/** Thrown when no place is available. */
export class NoPlaceError extends Error {
  override name = "NoPlaceError";
  constructor(count: number) {
    super(`All ${count} Workers that may run at once are busy.`);
  }
}

interface Waiter {
  want: Want;
  grant: (release: () => void) => void;
}

/** One of so many successive places goes to a request that is not urgent, so that alarms run under any load. */
const ROUND = 4;

interface PlacesOptions {
  count: number;
  /** Length of the queue, without alarms. */
  maxWaiting: number;
  /** Ends an idle cell. Resolves when its place is free. `undefined` when no cell is idle. */
  makeRoom: () => Promise<void> | undefined;
}

export class Places {
  readonly #o: PlacesOptions;
  readonly #waiting = new Set<Waiter>();
  #taken = 0;
  #leaving = 0;
  #turn = 0;

  constructor(options: PlacesOptions) {
    this.#o = options;
  }

  get full(): boolean {
    return this.#taken >= this.#o.count || this.#waiting.size > 0;
  }

  /**
   * Waits for a place.
   *
   * @param signal ends the wait
   * @returns a function that releases the place
   * @throws NoPlaceError when the queue is full; the reason of the signal
   */
  take(want: Want, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const bounded = [...this.#waiting].filter((waiter) => !waiter.want.unbounded).length;
    if (!want.unbounded && this.#taken >= this.#o.count && bounded >= this.#o.maxWaiting) {
      return Promise.reject(new NoPlaceError(this.#o.count));
    }
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#waiting.delete(waiter);
        reject(signal.reason);
      };
      const grant = (release: () => void) => {
        signal.removeEventListener("abort", abort);
        resolve(release);
      };
      const waiter: Waiter = { want, grant };
      signal.addEventListener("abort", abort, { once: true });
      this.#waiting.add(waiter);
      this.settle();
    });
  }

  /** Grants free places and makes room for the queue. Call it when a cell may have become idle. */
  settle(): void {
    while (this.#taken < this.#o.count) {
      const next = this.#next();
      if (next === undefined) return;
      this.#waiting.delete(next);
      this.#taken += 1;
      next.grant(this.#releaseOnce());
    }
    while (this.#leaving < this.#waiting.size) {
      const left = this.#o.makeRoom();
      if (left === undefined) return;
      this.#leaving += 1;
      void left.finally(() => {
        this.#leaving -= 1;
        this.settle();
      });
    }
  }

  #next(): Waiter | undefined {
    const waiting = [...this.#waiting];
    const urgent = waiting.find(({ want }) => want.urgent);
    const other = waiting.find(({ want }) => !want.urgent);
    if (urgent === undefined || other === undefined) return urgent ?? other;
    this.#turn = (this.#turn + 1) % ROUND;
    return this.#turn === 0 ? other : urgent;
  }

  #releaseOnce(): () => void {
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#taken -= 1;
      this.settle();
    };
  }
}
