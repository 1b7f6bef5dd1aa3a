import type { Socket } from "node:net";
import pg from "pg";
import { queryMessage, ReadyScanner } from "./messages.ts";
import type { CacheTimes } from "./query-cache.ts";

export interface Origin {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  /** Connections at once. Default: those of the free plan. */
  connections?: number | undefined;
  /** Default: nothing is cached. */
  cache?: CacheTimes | undefined;
}

/** The client of a connection. */
export interface User {
  /** @returns false to pause until `resume` */
  take(bytes: Buffer): boolean;
  /** Called when a query is complete. @param state of the transaction: `I` for none */
  ready(state: string): void;
  lost(): void;
}

const CONNECT_TIMEOUT_MS = 15_000;
/** Session settings of one client must not reach the next. */
const RESET = queryMessage("discard all");

/** Members that the types of `pg` lack. */
interface OpenClient {
  connection: { stream: Socket; on(event: "parameterStatus", listener: (status: Status) => void): void };
}
interface Status {
  parameterName: string;
  parameterValue: string;
}

export class OriginConnection {
  /** Parameters that the server reports, by name. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly #socket: Socket;
  readonly #scanner = new ReadyScanner();
  #user: User | undefined;
  /** Pending resets. */
  #resets = 0;

  /** Logs in. @throws pg.DatabaseError or Error */
  static async open(origin: Origin): Promise<OriginConnection> {
    const { cache: _, connections: __, ...login } = origin;
    const client = new pg.Client({ ...login, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
    // The socket reports the end.
    client.on("error", () => undefined);
    const { connection } = client as unknown as OpenClient;
    const parameters = new Map<string, string>();
    connection.on("parameterStatus", ({ parameterName, parameterValue }) => {
      parameters.set(parameterName, parameterValue);
    });
    await client.connect();
    return new OriginConnection(connection.stream, parameters);
  }

  private constructor(socket: Socket, parameters: ReadonlyMap<string, string>) {
    this.#socket = socket;
    this.parameters = parameters;
    // `pg` reads nothing from here on.
    socket.removeAllListeners("data");
    socket.on("data", (chunk: Buffer) => this.#hear(chunk));
    socket.once("close", () => this.#user?.lost());
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed && this.#socket.readable;
  }

  /** Assigns the connection to a client until `reset`. */
  use(user: User): void {
    this.#user = user;
  }

  /** Resets the session for the next client, whose messages are sent after the reset. */
  reset(): void {
    this.#user = undefined;
    this.#resets += 1;
    this.#socket.resume();
    this.#socket.write(RESET);
  }

  write(bytes: Buffer): void {
    this.#socket.write(bytes);
  }

  resume(): void {
    this.#socket.resume();
  }

  onClose(listener: () => void): void {
    this.#socket.once("close", listener);
  }

  destroy(): void {
    this.#user = undefined;
    this.#socket.destroy();
  }

  #hear(chunk: Buffer): void {
    let start = 0;
    for (const { end, state } of this.#scanner.scan(chunk)) {
      const bytes = chunk.subarray(start, end);
      start = end;
      if (this.#resets > 0) this.#resets -= 1;
      else {
        this.#pass(bytes);
        this.#user?.ready(state);
      }
    }
    if (start < chunk.length && this.#resets === 0) this.#pass(chunk.subarray(start));
  }

  #pass(bytes: Buffer): void {
    if (this.#user?.take(bytes) === false) this.#socket.pause();
  }
}
