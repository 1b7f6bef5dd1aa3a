/** What is asked of the Durable Object of a tenant's container; with which `env.ts` need not know its class. */
import type { SandboxActivity, StartAnswer } from "#workers/contracts/tenant/sandbox.ts";
import type { SeenProcesses } from "./commands.ts";

/** What a command came to, and what it printed. */
export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** A call of a model that is under way, until it is disposed of; by whoever began it, or by the end of that one's request. */
export type ModelCall = Rpc.RpcTargetBranded & Disposable;

export interface SandboxCalls extends Rpc.DurableObjectBranded {
  /** Requests are tenant traffic, and pass only while the container runs and they are let. */
  fetch(request: Request): Promise<Response>;
  /** Lets tenant traffic pass, or not. */
  setTraffic(passes: boolean): void;
  /** Ends every WebSocket and stream that is open. */
  cut(): void;
  /** A program in the container begins to ask a model. */
  modelCall(): ModelCall;
  /** Whether a program in the container waits for a model. */
  asksModels(): boolean;
  /** The processes and the traffic; `undefined` while the container does not run. */
  observe(): Promise<{ seen: SeenProcesses; activity: SandboxActivity } | undefined>;
  /** Wakes the container, and runs the startup script in it unless one or a gateway is there already. */
  start(env: Record<string, string>): Promise<StartAnswer>;
  /**
   * Ends the gateway and the startup script, with all that they started; no traffic passes meanwhile.
   *
   * @param idleMs only when there was no traffic for that long
   * @returns whether that was so
   */
  end(idleMs: number | undefined): Promise<boolean>;
  /** Starts the container, unless it runs, and returns when it takes commands. @throws Error when it does not come up */
  wake(): Promise<void>;
  /** Stops the container, if it runs: its disk is lost. */
  sleep(): Promise<void>;
  /** What a shell command prints; `undefined` while the container does not run. */
  look(command: string): Promise<string | undefined>;
  /** Runs a command to its end. @throws Error while the container does not run */
  run(command: string[], env?: Record<string, string>): Promise<CommandResult>;
  /** What a command prints, as it comes. @throws Error while the container does not run */
  read(command: string[]): Promise<ReadableStream>;
  /** Gives a command its input. @returns its exit code @throws Error when it did not get the whole, or the container does not run */
  write(command: string[], body: ReadableStream): Promise<number>;
  /**
   * Asks a port of the container; `undefined` when nothing listens there, or the container does not run.
   *
   * @param body makes it a POST
   */
  ask(
    port: number,
    path: string,
    timeoutMs: number,
    body?: string,
  ): Promise<{ status: number; body: string } | undefined>;
}
