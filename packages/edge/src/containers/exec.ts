import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import type { Duplex, Readable } from "node:stream";

export interface ExecRequest {
  command: readonly string[];
  env: Record<string, string>;
  /** Default: the working directory of the container. */
  workingDirectory?: string | undefined;
}

const STDOUT = 1;
const STDERR = 2;
/** Exit code of a shell for a command that does not start. */
const NOT_FOUND = 127;
const KILLED = 137;

/** Returns a frame of Docker's multiplexed stream: kind, three zeros, length, bytes. */
function frameOutput(kind: number, bytes: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt8(kind, 0);
  header.writeUInt32BE(bytes.length, 4);
  return Buffer.concat([header, bytes]);
}

/** A command in a container. Its input and output pass through the connection that started it. */
export class Exec {
  readonly id = randomBytes(32).toString("hex");
  readonly request: ExecRequest;
  readonly #exited = Promise.withResolvers<void>();
  #child: ChildProcessWithoutNullStreams | undefined;
  #exitCode: number | null = null;

  constructor(request: ExecRequest) {
    this.request = request;
  }

  get state(): { ID: string; Running: boolean; ExitCode: number | null; Pid: number } {
    const running = this.#child !== undefined && this.#exitCode === null;
    return { ID: this.id, Running: running, ExitCode: this.#exitCode, Pid: this.#child?.pid ?? 0 };
  }

  /** Resolves when its process on the machine has exited. */
  get exited(): Promise<void> {
    return this.#exited.promise;
  }

  /**
   * Runs the command. When the connection ends first, the command continues without output.
   *
   * @param program the command line on the machine
   */
  start(program: readonly string[], options: { cwd: string; env: Record<string, string> }, connection: Duplex): void {
    const [file = "", ...parameters] = program;
    const child = spawn(file, parameters, { ...options, detached: true });
    this.#child = child;
    connection.on("error", () => connection.destroy());
    child.stdin.on("error", () => {});
    child.once("error", () => {
      this.#exited.resolve();
      this.#end(NOT_FOUND, connection);
    });
    child.once("exit", (code) => {
      this.#exitCode = code ?? KILLED;
      this.#exited.resolve();
    });
    child.once("close", (code) => this.#end(code ?? KILLED, connection));
    connection.pipe(child.stdin);
    pipeFrames(child.stdout, STDOUT, connection);
    pipeFrames(child.stderr, STDERR, connection);
  }

  /**
   * Resumes its process, which is suspended with the command that it runs in the container, so that it notices the end of the command. Killed
   * it would leave the command to the machine's first process, which may reap it late.
   */
  release(): void {
    if (this.#exitCode === null) this.#child?.kill("SIGCONT");
  }

  #end(code: number, connection: Duplex): void {
    this.#exitCode ??= code;
    connection.end();
  }
}

function pipeFrames(output: Readable, kind: number, connection: Duplex): void {
  output.on("data", (bytes: Buffer) => {
    if (connection.destroyed || connection.writableEnded) return;
    if (connection.write(frameOutput(kind, bytes))) return;
    output.pause();
    const resume = () => {
      connection.off("drain", resume);
      connection.off("close", resume);
      output.resume();
    };
    connection.once("drain", resume);
    connection.once("close", resume);
  });
}
