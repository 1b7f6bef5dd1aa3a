/** `ExecutionContext.waitUntil`. */
export type KeepAlive = (work: Promise<unknown>) => void;

export class FlightTimeout extends Error {
  override name = "FlightTimeout";
}

/**
 * Concurrent callers of a key share one result. Joining callers time out, because the platform may end the first request's work without
 * settling it.
 */
export class SingleFlight<T> {
  readonly #flights = new Map<string, Promise<T>>();
  readonly #timeoutMs: number;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  run(key: string, keepAlive: KeepAlive, work: () => Promise<T>): Promise<T> {
    const joined = this.#flights.get(key);
    if (joined) return this.#join(key, joined);
    const flight = work().finally(() => this.#forget(key, flight));
    this.#flights.set(key, flight);
    keepAlive(flight.catch(() => undefined));
    return flight;
  }

  isRunning(key: string): boolean {
    return this.#flights.has(key);
  }

  /** Makes the next call start new work; current callers still get the current result. */
  forget(key: string): void {
    this.#flights.delete(key);
  }

  /** {@link forget} for every key. */
  forgetAll(): void {
    this.#flights.clear();
  }

  #forget(key: string, flight: Promise<T>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }

  #join(key: string, flight: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#forget(key, flight);
        reject(new FlightTimeout("Timed out waiting for another request"));
      }, this.#timeoutMs);
      flight.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }
}
