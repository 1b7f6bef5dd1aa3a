/** Repeats each kind of request and a WebSocket on a platform until it is stopped. */
import { setTimeout as delay } from "node:timers/promises";
import { WebSocket } from "ws";
import { localToken } from "#local/local-token.ts";
import type { Answer } from "../../testing/http.ts";
import { call } from "../../testing/http.ts";
import { type Contents, eventually } from "./contents.ts";
import { callAs, DASHBOARD, ROOT_USER, type Target } from "./root-api.ts";

/** Milliseconds, below the dispatch Worker's rate limit for anonymous callers. */
const PAUSE_MS = 500;
const SOCKET_ANSWER_MS = 10_000;
const SOCKET = "WebSocket of a tenant";
const GIT_TENANT = "acme.tenantry.localhost";
const GIT_MEMBER = "ada@acme.example";
/** The first start of 0.2.0 adds users to the other tenant, which closes its open connections. */
const SOCKET_TENANT = "hooli.tenantry.localhost";

export interface Outcome {
  /** Number of expected responses by kind. */
  answered: Readonly<Record<string, number>>;
  /** Unexpected responses. */
  failed: readonly string[];
  /** Close reasons of the WebSocket. */
  closings: readonly string[];
}

export class Traffic {
  readonly #ended = new AbortController();
  readonly #began = performance.now();
  readonly #answered: Record<string, number> = {};
  readonly #failed: string[] = [];
  /** All requests. */
  readonly #sent = new Map<string, number>();
  #kinds: string[] = [];
  readonly #closings: string[] = [];
  #loops: Promise<void>[] = [];

  /** Resolves when each kind of request has got a response. */
  static async start(edge: Target, { tenant, accepted }: Pick<Contents, "tenant" | "accepted">): Promise<Traffic> {
    const traffic = new Traffic();
    const member = `CF_Authorization=${await localToken(edge, GIT_MEMBER, GIT_TENANT)}`;
    const requests: Readonly<Record<string, () => Promise<Answer>>> = {
      "page of a tenant, by a session from before": () =>
        call(edge, GIT_TENANT, "/", { headers: { accept: "text/html", cookie: member } }),
      "page of a tenant, after a new login": () => callAs(edge, GIT_MEMBER, GIT_TENANT, ["GET", "/"]),
      "API of a tenant from the dashboard": () =>
        callAs(edge, accepted, `${tenant.slug}.tenantry.localhost`, ["GET", "/api/notes"]),
      "health of a tenant": () => call(edge, GIT_TENANT, "/api/health?passive=1"),
      "clients in the dashboard": () => callAs(edge, ROOT_USER, DASHBOARD, ["GET", "/client"]),
      "jobs in the dashboard": () => callAs(edge, ROOT_USER, DASHBOARD, ["GET", "/jobs"]),
      "change in the dashboard": () =>
        callAs(edge, ROOT_USER, DASHBOARD, ["PUT", "/client/update", { id: tenant.client, name: "Contoso" }]),
    };
    for (const [kind, send] of Object.entries(requests)) {
      // Stopped gateways take some seconds to start.
      await eventually(kind, async () => ((await send()).status === 200 ? true : undefined));
    }
    await eventually(SOCKET_TENANT, async () =>
      (await callAs(edge, ROOT_USER, SOCKET_TENANT, ["GET", "/"])).status === 200 ? true : undefined,
    );
    traffic.#kinds = [...Object.keys(requests), SOCKET];
    traffic.#loops = [
      ...Object.entries(requests).map(([kind, send]) => traffic.#repeat(kind, send)),
      traffic.#talk(edge, `CF_Authorization=${await localToken(edge, ROOT_USER, SOCKET_TENANT)}`),
    ];
    return traffic;
  }

  /** Resolves when each kind of request has been sent a number of times more. */
  async rounds(count: number): Promise<void> {
    const before = new Map(this.#sent);
    const isDone = (kind: string) => (this.#sent.get(kind) ?? 0) >= (before.get(kind) ?? 0) + count;
    while (!this.#kinds.every(isDone)) await delay(PAUSE_MS);
  }

  soFar(): Outcome {
    return { answered: { ...this.#answered }, failed: [...this.#failed], closings: [...this.#closings] };
  }

  async stop(): Promise<Outcome> {
    this.#ended.abort();
    await Promise.all(this.#loops);
    return this.soFar();
  }

  async #repeat(kind: string, send: () => Promise<Answer>): Promise<void> {
    while (!this.#ended.signal.aborted) {
      try {
        const { status, body } = await send();
        if (status === 200) this.#count(kind);
        else this.#fail(kind, `${status} ${body.slice(0, 300)}`);
      } catch (error) {
        this.#fail(kind, String(error));
      }
      await delay(PAUSE_MS);
    }
  }

  /** Sends over a WebSocket and waits for the echo. Opens another when one is closed. */
  async #talk(edge: Target, cookie: string): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted) {
      const socket = new WebSocket(`ws://127.0.0.1:${edge.port}/echo`, {
        headers: { host: `${SOCKET_TENANT}:${edge.port}`, cookie },
      });
      // An abandoned attempt may fail later.
      socket.on("error", () => {});
      try {
        await heard(socket, "open");
        socket.on("close", (code, reason) => {
          if (!signal.aborted) this.#closings.push(`${code} ${String(reason)} after ${this.#elapsed()} ms`);
        });
        while (!signal.aborted && socket.readyState === WebSocket.OPEN) {
          const echoed = heard(socket, "message");
          socket.send("hello");
          if (await echoed) this.#count(SOCKET);
          await delay(PAUSE_MS);
        }
      } catch (error) {
        this.#fail(SOCKET, String(error));
        await delay(PAUSE_MS);
      } finally {
        socket.terminate();
      }
    }
  }

  #elapsed(): number {
    return Math.round(performance.now() - this.#began);
  }

  #count(kind: string): void {
    this.#sent.set(kind, (this.#sent.get(kind) ?? 0) + 1);
    this.#answered[kind] = (this.#answered[kind] ?? 0) + 1;
  }

  #fail(kind: string, why: string): void {
    this.#sent.set(kind, (this.#sent.get(kind) ?? 0) + 1);
    this.#failed.push(`${kind}, after ${this.#elapsed()} ms: ${why}`);
  }
}

/** @returns whether the event preceded the close. @throws Error on a failure or timeout of the socket */
function heard(socket: WebSocket, event: "open" | "message"): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`no ${event} within ${SOCKET_ANSWER_MS} ms`)), SOCKET_ANSWER_MS);
    const settle = (finish: () => void) => {
      clearTimeout(late);
      socket.off(event, onEvent);
      socket.off("close", onClose);
      socket.off("error", onError);
      finish();
    };
    const onEvent = () => settle(() => resolve(true));
    const onClose = () => settle(() => resolve(false));
    const onError = (error: Error) => settle(() => reject(error));
    socket.once(event, onEvent);
    socket.once("close", onClose);
    socket.once("error", onError);
  });
}
