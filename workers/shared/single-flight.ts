/** Keeps work alive after the response was sent or its client has gone: `ExecutionContext.waitUntil`. */
export type KeepAlive = (work: Promise<unknown>) => void;

/** The shared work of another request did not end in time. */
export class FlightTimeout extends Error {
  override name = "FlightTimeout";
}

/**
 * Joins concurrent calls for one key into one.
 *
 * The request that started the work keeps it alive even when its own client goes away. One that joins waits for a
 * bounded time, since the platform may still end the other request's work without settling it.
 */
export class SingleFlight<T> {
  readonly #flights = new Map<string, Promise<T>>();
  readonly #timeoutMs: number;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** @throws FlightTimeout, or what `work` throws */
  run(key: string, keepAlive: KeepAlive, work: () => Promise<T>): Promise<T> {
    const joined = this.#flights.get(key);
    if (joined) return this.#join(key, joined);
    const flight = work().finally(() => this.#forget(key, flight));
    this.#flights.set(key, flight);
    keepAlive(flight.catch(() => undefined));
    return flight;
  }

  /** Whether a call for `key` would join one under way. */
  isRunning(key: string): boolean {
    return this.#flights.has(key);
  }

  /** Lets the next call start anew while the present work, if any, ends for those who wait for it. */
  forget(key: string): void {
    this.#flights.delete(key);
  }

  #forget(key: string, flight: Promise<T>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }

  #join(key: string, flight: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#forget(key, flight);
        reject(new FlightTimeout("Waited too long for a call of another request"));
      }, this.#timeoutMs);
      flight.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }
}
