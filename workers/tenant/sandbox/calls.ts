/** The RPC interface of the container's Durable Object. It is apart from its class so that `env.ts` does not import the class. */
import type { SandboxActivity, StartAnswer } from "#workers/contracts/tenant/sandbox.ts";
import type { SeenProcesses } from "./commands.ts";
import type { ContainerNetwork } from "./port.ts";

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** A model call in progress. It ends when it is disposed of, or with the request that began it. */
export type ModelCall = Rpc.RpcTargetBranded & Disposable;

export interface SandboxCalls extends Rpc.DurableObjectBranded {
  /** Passes tenant traffic to the container while it runs and traffic is enabled, unless it was admitted before the last cut. */
  fetch(request: Request): Promise<Response>;
  /** Enables or disables tenant traffic. */
  setTraffic(passes: boolean, cutAt?: number): void;
  /** Closes every open WebSocket and stream. @param cutAt milliseconds since the epoch */
  cut(cutAt?: number): void;
  /** As {@link SandboxPort.followEgress}. */
  followEgress(): Promise<void>;
  /** As {@link SandboxPort.egress}. */
  egress(): Promise<ContainerNetwork | undefined>;
  /** Counts a model call from the container as in progress. */
  modelCall(): ModelCall;
  hasModelCalls(): boolean;
  /** Returns the processes and the traffic; `undefined` while the container does not run. */
  observe(): Promise<{ seen: SeenProcesses; activity: SandboxActivity } | undefined>;
  /** As {@link SandboxPort.start}. */
  start(env: Record<string, string>): Promise<StartAnswer>;
  /** As {@link SandboxPort.kill}. */
  end(idleMs: number | undefined): Promise<boolean>;
  /** Starts the container unless it runs, and waits until it accepts commands. @throws Error when it does not start */
  wake(): Promise<void>;
  /** Stops the container and deletes its disk. */
  sleep(): Promise<void>;
  /** Runs a shell command. @returns its output; `undefined` while the container does not run */
  query(command: string): Promise<string | undefined>;
  /** Runs a command. @throws Error while the container does not run */
  run(command: string[], env?: Record<string, string>): Promise<CommandResult>;
  /** Streams a command's output. @throws Error while the container does not run */
  read(command: string[]): Promise<ReadableStream>;
  /** Streams `body` to a command. @returns its exit code @throws Error when it did not receive all of it, or the container does not run */
  write(command: string[], body: ReadableStream): Promise<number>;
  /** Sends a request to a port: a POST when `body` is set. @returns `undefined` when the port is closed or the container does not run */
  request(
    port: number,
    path: string,
    timeoutMs: number,
    body?: string,
  ): Promise<{ status: number; body: string } | undefined>;
}
