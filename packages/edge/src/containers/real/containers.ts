import { get } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod";
import { INGRESS, namesOf, type ScriptName, SIDECAR_SUFFIX } from "../names.ts";
import type { RealEngineClient } from "./client.ts";
import type { VolumeDisks } from "./disks.ts";

const listed = z.array(z.looseObject({ Names: z.array(z.string()), State: z.string() }));

const port = z.looseObject({ HostPort: z.coerce.number() });
const inspected = z.looseObject({
  NetworkSettings: z.looseObject({ Ports: z.looseObject({ [INGRESS]: z.array(port).min(1) }) }),
});
const READY_MS = 30_000;
const POLL_MS = 50;

/** Whether a server responds, with any status. Some engines accept connections for containers that do not. */
const responds = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const sent = get({ host: "127.0.0.1", port, path: "/ca", agent: false, timeout: READY_MS }, (response) => {
      response.resume();
      resolve(true);
    });
    sent.once("timeout", () => sent.destroy());
    sent.once("close", () => resolve(false));
    sent.on("error", () => {});
  });

/** Containers that are started or stopped concurrently. */
const CONCURRENCY = 4;

/** A container and its sidecar, which owns its network. */
export interface Pair {
  name: string;
  container: { running: boolean } | undefined;
  sidecar: { running: boolean } | undefined;
}

/** Runs `work` for all pairs, some concurrently. */
export async function forEach(pairs: readonly Pair[], work: (pair: Pair) => Promise<unknown>): Promise<void> {
  const queue = [...pairs];
  const worker = async () => {
    for (let pair = queue.shift(); pair !== undefined; pair = queue.shift()) await work(pair);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

export class OwnContainers {
  readonly #client: RealEngineClient;
  readonly #mark: string;
  readonly #disks: VolumeDisks;

  /** @param mark of {@link engineMark} */
  constructor(client: RealEngineClient, mark: string, disks: VolumeDisks) {
    this.#client = client;
    this.#mark = mark;
    this.#disks = disks;
  }

  /** Returns the containers of a script. Default: of all scripts */
  async pairs(script?: ScriptName): Promise<Pair[]> {
    const ours = namesOf(this.#mark, script);
    const { text } = await this.#client.expect([200], "GET", "/containers/json", { query: { all: "true" } });
    const byName = new Map<string, Pair>();
    for (const { Names, State } of listed.parse(JSON.parse(text))) {
      const found = Names.map((name) => name.replace(/^\//, "")).find((name) => ours.test(name));
      if (found === undefined) continue;
      const isSidecar = found.endsWith(SIDECAR_SUFFIX);
      const name = isSidecar ? found.slice(0, -SIDECAR_SUFFIX.length) : found;
      const pair = byName.get(name) ?? { name, container: undefined, sidecar: undefined };
      byName.set(name, { ...pair, [isSidecar ? "sidecar" : "container"]: { running: State === "running" } });
    }
    return [...byName.values()];
  }

  async start(name: string): Promise<void> {
    await this.#client.expect([204, 304], "POST", `/containers/${name}/start`);
  }

  /** Starts a sidecar and waits until it responds. workerd removes containers whose sidecar does not. @throws Error when it does not in time */
  async startSidecar(name: string): Promise<void> {
    await this.start(name);
    const { text } = await this.#client.expect([200], "GET", `/containers/${name}/json`);
    const [published] = inspected.parse(JSON.parse(text)).NetworkSettings.Ports[INGRESS];
    const deadline = Date.now() + READY_MS;
    while (published !== undefined && !(await responds(published.HostPort))) {
      if (Date.now() > deadline) throw new Error(`the sidecar ${name} does not respond`);
      await delay(POLL_MS);
    }
  }

  async stop(name: string): Promise<void> {
    await this.#client.expect([204, 304, 404], "POST", `/containers/${name}/stop`, { query: { t: "0" } });
  }

  /** Sends SIGTERM. */
  async terminate(name: string): Promise<void> {
    // 409: it does not run.
    await this.#client.expect([204, 404, 409], "POST", `/containers/${name}/kill`, { query: { signal: "SIGTERM" } });
  }

  async remove(name: string): Promise<void> {
    const query = { force: "true", v: "true" };
    await this.#disks.remove(name, () => this.#client.expect([204, 404], "DELETE", `/containers/${name}`, { query }));
  }

  /** Removes the containers of a script, or all, with their disks. The sidecar owns the network, so it is removed last. */
  async removeAll(script?: ScriptName): Promise<void> {
    await forEach(await this.pairs(script), async ({ name, container, sidecar }) => {
      if (container !== undefined) await this.remove(name);
      if (sidecar !== undefined) await this.remove(name + SIDECAR_SUFFIX);
    });
  }
}
