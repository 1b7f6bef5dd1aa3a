import { LIMITS } from "@tenantry/cloudflare-limits/limits";
import { type Origin, OriginConnection } from "./origin-connection.ts";
import { QueryCache } from "./query-cache.ts";

const WAIT_MS = LIMITS.hyperdriveConnectTimeout.value * 1_000;
/** Of the free plan: a local database accepts fewer connections in all than those of a paid plan. */
const DEFAULT_CONNECTIONS = LIMITS.hyperdriveConnectionsDefault.otherPlans.Free;

export class NoConnection extends Error {
  override name = "NoConnection";
}

/** Connections to one origin. A client holds one for a transaction. */
export class OriginPool {
  readonly cache: QueryCache | undefined;
  readonly #origin: Origin;
  readonly #idle: OriginConnection[] = [];
  readonly #all = new Set<OriginConnection>();
  readonly #waiting: (() => void)[] = [];
  #opening = 0;
  #closed = false;

  /** @param now in milliseconds since the epoch */
  constructor(origin: Origin, now: () => number) {
    this.#origin = origin;
    this.cache = origin.cache && new QueryCache(origin.cache, now);
  }

  /** @throws NoConnection when all stay in use, and errors of {@link OriginConnection.open} */
  async acquire(): Promise<OriginConnection> {
    for (;;) {
      for (let found = this.#idle.pop(); found !== undefined; found = this.#idle.pop()) if (found.isOpen) return found;
      if (this.#all.size + this.#opening < (this.#origin.connections ?? DEFAULT_CONNECTIONS)) return this.#open();
      await this.#oneIsFree();
    }
  }

  /** Sends the messages of a query, and returns the response. @throws as {@link acquire}, and Error when the connection is lost */
  async ask(messages: readonly Buffer[]): Promise<Buffer> {
    const connection = await this.acquire();
    const response: Buffer[] = [];
    await new Promise<void>((resolve, reject) => {
      connection.use({
        take: (bytes) => response.push(bytes) > 0,
        ready: () => resolve(),
        lost: () => reject(new Error("The connection was lost.")),
      });
      connection.write(Buffer.concat(messages));
    });
    this.release(connection);
    return Buffer.concat(response);
  }

  /** Accepts a connection without an open transaction. */
  release(connection: OriginConnection): void {
    if (this.#closed || !connection.isOpen) {
      connection.destroy();
      return;
    }
    connection.reset();
    this.#idle.push(connection);
    this.#waiting.shift()?.();
  }

  /** Closes idle connections, and the others when they are released. */
  close(): void {
    this.#closed = true;
    for (const connection of this.#idle.splice(0)) connection.destroy();
  }

  /** Closes all connections. */
  stop(): void {
    this.close();
    for (const connection of this.#all) connection.destroy();
  }

  async #open(): Promise<OriginConnection> {
    this.#opening += 1;
    try {
      const connection = await OriginConnection.open(this.#origin);
      this.#all.add(connection);
      connection.onClose(() => {
        this.#all.delete(connection);
        const at = this.#idle.indexOf(connection);
        if (at !== -1) this.#idle.splice(at, 1);
        this.#waiting.shift()?.();
      });
      return connection;
    } catch (error) {
      // The next client can open a connection.
      this.#waiting.shift()?.();
      throw error;
    } finally {
      this.#opening -= 1;
    }
  }

  #oneIsFree(): Promise<void> {
    return new Promise((resolve, reject) => {
      const free = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(free), 1);
        reject(new NoConnection("Timed out while waiting for an open slot in the pool."));
      }, WAIT_MS);
      this.#waiting.push(free);
    });
  }
}
