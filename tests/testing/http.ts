/** HTTP to a host of the edge by its address, because not every resolver knows names under `localhost`. */
import { type IncomingHttpHeaders, request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import type { Edge } from "#local/edge.ts";

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface CallOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

export function call(edge: Pick<Edge, "port">, host: string, path: string, options: CallOptions = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: "127.0.0.1",
        port: edge.port,
        path,
        method: options.method ?? "GET",
        headers: { host: `${host}:${edge.port}`, ...options.headers },
        agent: false,
      },
      (response) => {
        text(response).then(
          (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
          reject,
        );
      },
    );
    outgoing.on("error", reject);
    outgoing.end(options.body);
  });
}

/** Returns headers of a user who is logged in to `host`. */
export async function loggedIn(edge: Edge, email: string, host: string): Promise<Record<string, string>> {
  return { cookie: `CF_Authorization=${await edge.access.issue(email, host)}` };
}

/** Milliseconds between requests, below the dispatch Worker's rate limit for anonymous callers. */
const POLL_MS = 300;

/** Repeats a request until `accept` returns true. The test's timeout applies. */
export async function callUntil(ask: () => Promise<Answer>, accept: (answer: Answer) => boolean): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (accept(answer)) return answer;
    await delay(POLL_MS);
  }
}

/** Fires the trigger of each minute. @param script a dispatch Worker. Default: production's */
export function everyMinute(edge: Pick<Edge, "port" | "apiToken">, script = "tenantry-dispatch"): Promise<Answer> {
  return call(edge, "127.0.0.1", "/local/scheduled", {
    method: "POST",
    headers: { authorization: `Bearer ${edge.apiToken}`, "content-type": "application/json" },
    body: JSON.stringify({ script, cron: "* * * * *" }),
  });
}
