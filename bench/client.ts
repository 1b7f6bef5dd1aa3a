/** An HTTP client for measuring: one connection, one request at a time. */
import { Agent, request } from "node:http";

export interface Target {
  /** Loopback port. */
  port: number;
  path: string;
  headers: Record<string, string>;
}

const TIMEOUT_MS = 10_000;

export class Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  /** @returns milliseconds until the whole answer was there @throws Error when it is not 200 */
  call(target: Target): Promise<number> {
    return new Promise((resolve, reject) => {
      const begun = performance.now();
      const sent = request({ ...target, host: "127.0.0.1", agent: this.#agent, timeout: TIMEOUT_MS }, (answer) => {
        answer.on("error", reject);
        answer.on("end", () => {
          if (answer.statusCode === 200) resolve(performance.now() - begun);
          else reject(new Error(`${target.headers.host ?? ""}${target.path} answered ${answer.statusCode}.`));
        });
        answer.resume();
      });
      sent.on("timeout", () => sent.destroy(new Error(`${target.path} did not answer within ${TIMEOUT_MS} ms.`)));
      sent.on("error", reject);
      sent.end();
    });
  }

  /** Calls `count` times in a row. @returns the milliseconds of each */
  calls(target: Target, count: number): Promise<number[]> {
    return inTurn(count, () => this.call(target));
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Does something `count` times in a row. @returns what each took */
export async function inTurn(count: number, once: () => Promise<number>): Promise<number[]> {
  const latencies: number[] = [];
  for (let i = 0; i < count; i++) latencies.push(await once());
  return latencies;
}
