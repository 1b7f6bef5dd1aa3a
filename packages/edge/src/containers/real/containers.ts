/** The containers that workerd made on a real engine for one state directory, found by their names. */
import * as z from "zod";
import { namesOf, type ScriptName, SIDECAR_SUFFIX } from "../names.ts";
import type { RealEngineClient } from "./client.ts";

const listed = z.array(z.looseObject({ Names: z.array(z.string()), State: z.string() }));

/** Containers that are started or stopped at once. */
const AT_ONCE = 4;

/** A container and its sidecar, whose network it has; `undefined` for one that is not there. */
export interface Pair {
  name: string;
  container: { running: boolean } | undefined;
  sidecar: { running: boolean } | undefined;
}

/** Does something with all of them, some at a time. */
export async function forEach(pairs: readonly Pair[], work: (pair: Pair) => Promise<unknown>): Promise<void> {
  const left = [...pairs];
  const worker = async () => {
    for (let pair = left.shift(); pair !== undefined; pair = left.shift()) await work(pair);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

export class OwnContainers {
  readonly #client: RealEngineClient;
  readonly #mark: string;

  /** @param mark as of {@link engineMark} */
  constructor(client: RealEngineClient, mark: string) {
    this.#client = client;
    this.#mark = mark;
  }

  /** Those of a script; of all scripts when none is given. */
  async pairs(script?: ScriptName): Promise<Pair[]> {
    const ours = namesOf(this.#mark, script);
    const { text } = await this.#client.expect([200], "GET", "/containers/json", { query: { all: "true" } });
    const byName = new Map<string, Pair>();
    for (const { Names, State } of listed.parse(JSON.parse(text))) {
      const found = Names.map((one) => one.replace(/^\//, "")).find((one) => ours.test(one));
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

  async stop(name: string): Promise<void> {
    await this.#client.expect([204, 304, 404], "POST", `/containers/${name}/stop`, { query: { t: "0" } });
  }

  async remove(name: string): Promise<void> {
    await this.#client.expect([204, 404], "DELETE", `/containers/${name}`, { query: { force: "true", v: "true" } });
  }

  /** Removes a script's containers, or all, with their disks; the sidecar owns the network, so it goes last. */
  async removeAll(script?: ScriptName): Promise<void> {
    await forEach(await this.pairs(script), async ({ name, container, sidecar }) => {
      if (container !== undefined) await this.remove(name);
      if (sidecar !== undefined) await this.remove(name + SIDECAR_SUFFIX);
    });
  }
}
