import { mkdtemp, rm } from "node:fs/promises";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { freePort } from "@tenantry/std/free-port";
import type { Log } from "@tenantry/std/log";
import type { Access } from "../../access/access.ts";
import { Store } from "../../account/store.ts";
import type { ContainerEngine } from "../../containers/engine.ts";
import { type FrontParts, openFront } from "../../front/front.ts";
import { type Runtime, type RuntimeOptions, startRuntime } from "../runtime.ts";

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Ask {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
}

export interface TestEdge {
  store: Store;
  runtime: Runtime;
  port: number;
  directory: string;
  log: Record<string, unknown>[];
  /** Sends a request. @param address `host/path` */
  ask(address: string, ask?: Ask): Promise<Answer>;
  /** Restarts front and runtime on the same data. */
  restart(): Promise<void>;
  /** Stops everything and removes the directory. */
  stop(): Promise<void>;
}

export interface TestEdgeOptions {
  runtime?: Partial<RuntimeOptions>;
  front?: Partial<FrontParts>;
}

export const passAll: Access = {
  fetch: async (request) => new Response(`access ${new URL(request.url).pathname}`),
  authorize: async () => ({ kind: "pass", jwt: "signed" }),
  issue: async () => "signed",
  rotateKeys: async () => {},
};

export const noContainers: ContainerEngine = {
  address: "unix:/nowhere",
  egressImage: "none",
  image: undefined,
  description: "No containers.",
  uniqueKey: ({ namespace, name }, className) => `${namespace}-${name}-${className}`,
  isAwake: () => false,
  deploy: () => {},
  instances: () => [],
  onChange: () => () => {},
  stopContainer: async () => {},
  ready: async () => {},
  end: async () => {},
  stop: async () => {},
};

/** Starts a front and a runtime with an empty store and an Access that lets every request pass. */
export async function startTestEdge(options: TestEdgeOptions = {}): Promise<TestEdge> {
  const directory = await mkdtemp(join(tmpdir(), "edge-test-"));
  const port = await freePort();
  const lines: Record<string, unknown>[] = [];
  const log: Log = (area, event, fields) => lines.push({ area, event, ...fields });
  const store = new Store(directory);
  let parts = await start();

  async function start() {
    const front = await openFront(port, log);
    const runtime = await startRuntime({
      store,
      directory: join(directory, "runtime"),
      domain: "tenantry.test",
      port,
      containers: noContainers,
      log,
      ...options.runtime,
    });
    front.serve({
      control: async (request) =>
        new Response(`control ${request.method} ${new URL(request.url).pathname}${await request.text()}`),
      access: passAll,
      runtime,
      store,
      issuer: `http://team.access.test:${port}`,
      ...options.front,
    });
    return { runtime, front };
  }

  async function end() {
    await parts.front.stop();
    await parts.runtime.stop();
  }

  return {
    store,
    port,
    directory,
    log: lines,
    get runtime() {
      return parts.runtime;
    },
    ask: (address, ask) => send(port, address, ask),
    async restart() {
      await end();
      parts = await start();
    },
    async stop() {
      await end();
      store.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function send(port: number, address: string, ask: Ask = {}): Promise<Answer> {
  const slash = address.indexOf("/");
  const host = slash === -1 ? address : address.slice(0, slash);
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      {
        host: "127.0.0.1",
        port,
        method: ask.method ?? "GET",
        path: slash === -1 ? "/" : address.slice(slash),
        headers: { ...ask.headers, host: `${host}:${port}` },
        agent: false,
        maxHeaderSize: 128 * 1024,
      },
      (response) => {
        buffer(response).then(
          (body) =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body: body.toString("utf8") }),
          reject,
        );
      },
    );
    sent.on("error", reject);
    sent.end(ask.body);
  });
}

/** Polls until `condition` is true. @throws Error after 30 seconds */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error("The condition was not met within 30 seconds.");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
