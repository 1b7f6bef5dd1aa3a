/** The places that cells may take: a bound that never gives way. Who comes when all are taken waits in turn. */

/** On whose account a place is wanted; a request that joins may make it urgent. */
export interface Want {
  /** Somebody waits for an answer. */
  urgent: boolean;
  /** Whether the bound of the queue does not hold: there is at most one alarm a script, and it must not be lost. */
  unbounded: boolean;
}

/** Thrown when no place is to be had. */
export class NoPlaceError extends Error {
  override name = "NoPlaceError";
  constructor(count: number) {
    super(`All ${count} Workers that may run at once are busy.`);
  }
}

interface Waiter {
  want: Want;
  given: (giveBack: () => void) => void;
}

/** Of so many places given in a row, one goes to who is not urgent, so that an alarm comes to its turn under any load. */
const ROUND = 4;

export class Places {
  readonly #count: number;
  readonly #mostWaiting: number;
  readonly #makeRoom: () => Promise<void> | undefined;
  readonly #waiting = new Set<Waiter>();
  #taken = 0;
  #leaving = 0;
  #turn = 0;

  /**
   * @param count places there are
   * @param mostWaiting who may wait at one time, alarms not counted in
   * @param makeRoom begins to end a cell that is idle; resolves when its place was given back. `undefined` when none is idle
   */
  constructor(o: { count: number; mostWaiting: number; makeRoom: () => Promise<void> | undefined }) {
    this.#count = o.count;
    this.#mostWaiting = o.mostWaiting;
    this.#makeRoom = o.makeRoom;
  }

  /** Whether one who comes now would have to wait for another to end. */
  get full(): boolean {
    return this.#taken >= this.#count || this.#waiting.size > 0;
  }

  /**
   * Waits for a place.
   *
   * @param signal ends the wait
   * @returns what gives the place back, once
   * @throws NoPlaceError when too many wait already; the signal's reason
   */
  take(want: Want, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const bounded = [...this.#waiting].filter((waiter) => !waiter.want.unbounded).length;
    if (!want.unbounded && this.#taken >= this.#count && bounded >= this.#mostWaiting) {
      return Promise.reject(new NoPlaceError(this.#count));
    }
    return new Promise((resolve, reject) => {
      const aborted = () => {
        this.#waiting.delete(waiter);
        reject(signal.reason);
      };
      const waiter: Waiter = {
        want,
        given: (giveBack) => {
          signal.removeEventListener("abort", aborted);
          resolve(giveBack);
        },
      };
      signal.addEventListener("abort", aborted, { once: true });
      this.#waiting.add(waiter);
      this.settle();
    });
  }

  /** Gives out what is free, and makes room for who still waits; to be called whenever a cell may have become idle. */
  settle(): void {
    while (this.#taken < this.#count) {
      const next = this.#next();
      if (next === undefined) return;
      this.#waiting.delete(next);
      this.#taken += 1;
      next.given(this.#giveBackOnce());
    }
    while (this.#leaving < this.#waiting.size) {
      const left = this.#makeRoom();
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

  #giveBackOnce(): () => void {
    let isGiven = true;
    return () => {
      if (!isGiven) return;
      isGiven = false;
      this.#taken -= 1;
      this.settle();
    };
  }
}
