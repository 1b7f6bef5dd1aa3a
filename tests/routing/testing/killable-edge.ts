/** An edge whose processes tests kill while vendors send webhooks. */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { EngineClient } from "@tenantry/edge/testing/runtime";
import * as z from "zod";
import type { Edge } from "#local/edge.ts";
import { gatewayProcesses } from "#workers/tenant/testing/gateway-processes.ts";
import { followed, type Run } from "../../testing/edge-program.ts";
import { ROOT } from "../../testing/engine.ts";
import { GATEWAY_IMAGE } from "../../testing/platform.ts";

const engine = z.object({ address: z.string(), marker: z.string() });
const PROGRAM = join(import.meta.dirname, "edge-process.ts");

export class KillableEdge {
  readonly #edge: Pick<Edge, "directory" | "port">;
  #run: Run | undefined;

  /** @param edge a stopped one, whose state directory and port this one uses */
  constructor(edge: Pick<Edge, "directory" | "port">) {
    this.#edge = edge;
  }

  /** Starts the process, also while those of a killed one still end. @throws Error with its output when it ends instead */
  async start(): Promise<void> {
    const { directory, port } = this.#edge;
    const options = ["--disable-warning=ExperimentalWarning", PROGRAM, directory, String(port), GATEWAY_IMAGE];
    this.#run = followed(
      spawn(process.execPath, options, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"], detached: true }),
    );
    await this.#run.printed("ready ");
  }

  /** Kills the edge's process, which ends all others, and starts it again. */
  async kill(): Promise<void> {
    this.#running.child.kill("SIGKILL");
    await this.#running.ended;
    await this.start();
  }

  /** Kills one of the edge's workerd processes. The edge restarts it. @param choice any number */
  killWorkerd(choice: number): void {
    const found = workerdsOf(this.#running.child.pid);
    const chosen = found[choice % found.length];
    if (chosen === undefined) throw new Error("No workerd runs.");
    process.kill(chosen, "SIGKILL");
  }

  /** Kills the processes of gateways. Without effect while none runs. */
  killGateways(): void {
    for (const { pid } of this.#gateways()) process.kill(pid, "SIGKILL");
  }

  /** Removes the containers of gateways with their disks, as a machine that fails. Without effect while none runs. */
  async loseContainers(): Promise<void> {
    const { address } = this.#engine;
    const names = new Set(this.#gateways().map(({ container }) => container.split("/").at(-1)));
    for (const name of names) await new EngineClient(address).call("DELETE", `/containers/${name}?force=true`);
  }

  /** Kills all processes. */
  async end(): Promise<void> {
    this.#run?.child.kill("SIGKILL");
    await this.#run?.ended;
  }

  #gateways() {
    return gatewayProcesses(this.#engine.marker);
  }

  get #engine() {
    const [, printed = ""] = /^ready (.+)$/m.exec(this.#running.output()) ?? [];
    return engine.parse(JSON.parse(printed));
  }

  get #running(): Run {
    if (this.#run === undefined) throw new Error("The edge was not started.");
    return this.#run;
  }
}

function workerdsOf(parent: number | undefined): number[] {
  return readdirSync("/proc").flatMap((entry) => {
    try {
      const status = /^\d+$/.test(entry) ? readFileSync(`/proc/${entry}/status`, "utf8") : "";
      return status.startsWith("Name:\tworkerd\n") && status.includes(`\nPPid:\t${parent}\n`) ? Number(entry) : [];
    } catch {
      // It has ended since it was listed.
      return [];
    }
  });
}
