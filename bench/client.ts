/** An HTTP client for measurements: one request at a time on each connection. */
import { Agent, request } from "node:http";
import { Socket } from "node:net";

export interface Target {
  port: number;
  path: string;
  headers: Record<string, string>;
  /** Default: `GET`. */
  method?: string;
  /** Default: none. */
  body?: string;
  /** Expected statuses. Default: 200. */
  statuses?: readonly number[];
  /** Opens a connection to it. Default: to its port on this machine. */
  connect?: () => Promise<Socket>;
}

const TIMEOUT_MS = 10_000;

export class Client {
  readonly #connections: number;
  readonly #agents = new Map<Target["connect"], Agent>();

  /** @param connections Default: 1 */
  constructor(connections = 1) {
    this.#connections = connections;
  }

  /** @returns milliseconds until the response ended @throws Error when its status is not an expected one */
  call({ body, statuses = [200], connect, ...target }: Target): Promise<number> {
    return new Promise((resolve, reject) => {
      const startedAt = performance.now();
      const sent = request(
        { ...target, host: "127.0.0.1", agent: this.#agentOf(connect), timeout: TIMEOUT_MS },
        (response) => {
          response.on("error", reject);
          response.on("end", () => {
            if (statuses.includes(response.statusCode ?? 0)) resolve(performance.now() - startedAt);
            else
              reject(new Error(`${target.headers.host ?? ""}${target.path} returned status ${response.statusCode}.`));
          });
          response.resume();
        },
      );
      sent.on("timeout", () => sent.destroy(new Error(`${target.path} did not respond within ${TIMEOUT_MS} ms.`)));
      sent.on("error", reject);
      sent.end(body);
    });
  }

  calls(target: Target, count: number): Promise<number[]> {
    return repeatCall(count, () => this.call(target));
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
  }

  #agentOf(connect: Target["connect"]): Agent {
    const known = this.#agents.get(connect);
    if (known !== undefined) return known;
    const agent = new Agent({ keepAlive: true, maxSockets: this.#connections });
    if (connect !== undefined)
      agent.createConnection = (_, onCreated) => {
        connect().then(
          (socket) => onCreated?.(null, socket),
          (error: Error) => onCreated?.(error, new Socket()),
        );
        return undefined;
      };
    this.#agents.set(connect, agent);
    return agent;
  }
}

export async function repeatCall(count: number, call: () => Promise<number>): Promise<number[]> {
  const results: number[] = [];
  for (let i = 0; i < count; i++) results.push(await call());
  return results;
}
