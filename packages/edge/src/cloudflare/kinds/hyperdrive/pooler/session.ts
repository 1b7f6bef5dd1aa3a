/** One client. It holds an origin connection from the first query of a transaction to the end of the transaction. */
import type { Socket } from "node:net";
import pg from "pg";
import {
  askForPassword,
  authenticated,
  fatalError,
  type Message,
  noKey,
  parameterStatus,
  readMessage,
  readStartup,
  ready,
} from "./messages.ts";
import type { OriginConnection } from "./origin-connection.ts";
import type { OriginPool } from "./origin-pool.ts";
import { cacheKey } from "./query-cache.ts";

/** Messages with a `ReadyForQuery` response: Query, Sync and FunctionCall. */
const ANSWERED = new Set(["Q", "S", "F"]);
/** Messages that form a unit with the next Sync: Parse, Bind, Describe, Execute and Close. */
const EXTENDED = new Set(["P", "B", "D", "E", "C"]);
const TERMINATE = "X";
const NO_ENCRYPTION = "N";
const INVALID_PASSWORD = "28P01";
const CONNECTION_FAILURE = "08006";

/** @returns the user's pool, or undefined for wrong credentials */
export type Login = (user: string, password: string) => OriginPool | undefined;

export class Session {
  readonly #client: Socket;
  readonly #login: Login;
  #unread: Buffer = Buffer.alloc(0);
  #step: "startup" | "password" | "ready" = "startup";
  #user = "";
  #pool: OriginPool | undefined;
  #origin: OriginConnection | undefined;
  /** Queries without a complete response. */
  #unanswered = 0;
  /** Whether a Sync is outstanding. */
  #awaitsSync = false;
  /** Whether nothing was sent since the last ready state outside of a transaction. */
  #isClean = true;
  /** Messages of a query that may be answered from the cache. */
  #unit: Message[] = [];
  /** The response to a query whose result is cached. */
  #recording: { key: string; response: Buffer[] } | undefined;
  #working = false;
  #over = false;

  constructor(client: Socket, login: Login) {
    this.#client = client;
    this.#login = login;
    client.setNoDelay(true);
    client.on("error", () => client.destroy());
    client.on("data", (chunk: Buffer) => {
      this.#unread = this.#unread.length === 0 ? chunk : Buffer.concat([this.#unread, chunk]);
      void this.#work();
    });
    client.on("drain", () => this.#origin?.resume());
    client.once("close", () => this.#leave());
  }

  /** Processes whole messages in order. */
  async #work(): Promise<void> {
    if (this.#working) return;
    this.#working = true;
    try {
      while (!this.#over && (await this.#next()));
    } catch (error) {
      const code = error instanceof pg.DatabaseError ? error.code : undefined;
      this.#refuse(code ?? CONNECTION_FAILURE, (error as Error).message);
    } finally {
      this.#working = false;
    }
  }

  /** @returns false when no complete message is left */
  async #next(): Promise<boolean> {
    if (this.#step === "startup") return this.#start();
    const message = readMessage(this.#unread);
    if (message === undefined) return false;
    this.#unread = this.#unread.subarray(message.bytes.length);
    if (message.kind === TERMINATE) this.#end();
    else if (this.#step === "password") await this.#logIn(message.bytes.toString("utf8", 5, message.bytes.length - 1));
    else if (this.#pool?.cache !== undefined && (this.#origin === undefined || this.#isClean))
      await this.#passCached(this.#pool, message);
    else await this.#pass(message);
    return true;
  }

  #start(): boolean {
    const read = readStartup(this.#unread);
    if (read === undefined) return false;
    const { startup, end } = read;
    this.#unread = this.#unread.subarray(end);
    if (startup.kind === "encryption") this.#client.write(NO_ENCRYPTION);
    else if (startup.kind === "cancel") this.#end();
    else {
      this.#user = startup.user;
      this.#step = "password";
      this.#client.write(askForPassword);
    }
    return true;
  }

  async #logIn(password: string): Promise<void> {
    this.#pool = this.#login(this.#user, password);
    if (this.#pool === undefined) return this.#refuse(INVALID_PASSWORD, "Invalid user or password.");
    // Clients send their first query immediately.
    const { parameters } = await this.#connect(this.#pool);
    this.#step = "ready";
    const statuses = [...parameters].map(([name, value]) => parameterStatus(name, value));
    this.#client.write(Buffer.concat([authenticated, ...statuses, noKey, ready]));
  }

  async #connect(pool: OriginPool): Promise<OriginConnection> {
    const origin = await pool.acquire();
    if (this.#over) {
      pool.release(origin);
      return origin;
    }
    this.#origin = origin;
    this.#isClean = true;
    origin.use({
      take: (bytes) => {
        this.#recording?.response.push(bytes);
        return this.#client.write(bytes);
      },
      ready: (state) => this.#answered(state),
      lost: () => this.#end(),
    });
    return origin;
  }

  /** Collects the messages of a query. Answers it from the cache if possible. */
  async #passCached(pool: OriginPool, message: Message): Promise<void> {
    this.#unit.push(message);
    if (EXTENDED.has(message.kind)) return;
    const unit = this.#unit.splice(0);
    const key = cacheKey(unit);
    const found = key === undefined ? undefined : pool.cache?.read(key);
    if (key !== undefined && found?.isStale) {
      const revalidated = pool.ask(unit.map(({ bytes }) => bytes));
      // Until it succeeds, the stale result is served.
      revalidated.then((response) => pool.cache?.write(key, response)).catch(() => undefined);
    }
    if (found !== undefined) return void this.#client.write(found.response);
    for (const one of unit) await this.#pass(one);
    if (key !== undefined) this.#recording = { key, response: [] };
  }

  async #pass({ kind, bytes }: Message): Promise<void> {
    if (this.#pool === undefined) return;
    this.#recording = undefined;
    const origin = this.#origin ?? (await this.#connect(this.#pool));
    if (this.#over) return;
    if (ANSWERED.has(kind)) this.#unanswered += 1;
    this.#isClean = false;
    this.#awaitsSync = EXTENDED.has(kind) || (this.#awaitsSync && !ANSWERED.has(kind));
    origin.write(bytes);
  }

  #answered(state: string): void {
    this.#unanswered -= 1;
    if (this.#unanswered > 0 || this.#awaitsSync || state !== "I" || this.#origin === undefined) return;
    this.#pool?.release(this.#origin);
    this.#origin = undefined;
    if (this.#recording === undefined) return;
    const { key, response } = this.#recording;
    this.#recording = undefined;
    this.#pool?.cache?.write(key, Buffer.concat(response));
  }

  #refuse(code: string, reason: string): void {
    if (!this.#over) this.#client.write(fatalError(code, reason));
    this.#end();
  }

  /** Closes the connection after pending writes. */
  #end(): void {
    this.#over = true;
    this.#client.destroySoon();
  }

  #leave(): void {
    this.#over = true;
    const origin = this.#origin;
    this.#origin = undefined;
    if (origin === undefined) return;
    if (this.#isClean) this.#pool?.release(origin);
    // The server rolls back an open transaction.
    else origin.destroy();
  }
}
