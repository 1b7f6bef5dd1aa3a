/** Runs `npm start` of a checkout of any version. */
import { spawn } from "node:child_process";
import { followed, processesOf, READY, type Run } from "../../testing/edge-program.ts";
import { sql } from "../../testing/sql.ts";
import { eventually } from "./contents.ts";
import { type RunningEdge, readRunningEdge } from "./root-api.ts";

export class CheckoutStart {
  readonly edge: RunningEdge;
  readonly #state: string;
  readonly #run: Run;

  private constructor(state: string, run: Run) {
    this.#state = state;
    this.#run = run;
    this.edge = readRunningEdge(state);
  }

  /** Resolves when the platform is deployed. */
  static async open(checkout: string, state: string, port: number): Promise<CheckoutStart> {
    const child = spawn("npm", ["start", "--", "--state", state, "--port", String(port)], {
      cwd: checkout,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    const run = followed(child);
    await run.printed(READY);
    return new CheckoutStart(state, run);
  }

  /**
   * Stops it like Ctrl-C, while the jobs that `work` queues remain undone: the service is suspended between two jobs, and killed once the edge
   * no longer restarts it.
   */
  async stopWithWorkLeft<T>(work: () => Promise<T>): Promise<T> {
    const service = processesOf(this.#state).find(({ command }) => command.includes("automation/main.ts"));
    if (service === undefined) throw new Error("The automation service does not run.");
    await eventually("the automation service to be idle", async () => {
      process.kill(service.pid, "SIGSTOP");
      const busy = await sql(this.edge, "select from graphile_worker._private_jobs where locked_at is not null");
      if (busy.length === 0) return true;
      process.kill(service.pid, "SIGCONT");
      return undefined;
    });
    const left = await work();
    this.#interrupt();
    await this.#run.printed("Stopping");
    process.kill(service.pid, "SIGKILL");
    await this.#end();
    return left;
  }

  #interrupt(): void {
    if (this.#run.child.pid === undefined) throw new Error("npm start does not run.");
    process.kill(-this.#run.child.pid, "SIGINT");
  }

  async #end(): Promise<void> {
    const code = await this.#run.ended;
    const left = processesOf(this.#state);
    if (left.length > 0) throw new Error(`npm start left processes behind: ${left.map(({ pid }) => pid).join(", ")}`);
    // A program that a signal ended has no exit code.
    if (code !== 0 && code !== null) throw new Error(`npm start ended with ${code}:\n${this.#run.output()}`);
  }
}
