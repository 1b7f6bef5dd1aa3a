/** A command run in a container, whose input and output pass through the connection that started it. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import type { Duplex, Readable } from "node:stream";

/** What `POST /containers/{name}/exec` asks for. */
export interface ExecRequest {
  command: readonly string[];
  env: Record<string, string>;
  /** Absent: where the container's programs start. */
  workingDirectory?: string | undefined;
}

const STDOUT = 1;
const STDERR = 2;
/** Of a command that could not be run, as a shell has it. */
const NOT_FOUND = 127;
const KILLED = 137;

/** One frame of the engine's multiplexed stream: kind, three zeros, length, bytes. */
function frame(kind: number, bytes: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt8(kind, 0);
  header.writeUInt32BE(bytes.length, 4);
  return Buffer.concat([header, bytes]);
}

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

  /** Resolves when the process that ran it on the machine has exited. */
  get exited(): Promise<void> {
    return this.#exited.promise;
  }

  /**
   * Runs the command. When the connection ends first the command goes on, and its output is dropped.
   *
   * @param program the command as it is run on the machine
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
    pass(child.stdout, STDOUT, connection);
    pass(child.stderr, STDERR, connection);
  }

  /**
   * Lets it take notice that what it ran in the container has ended: who entered a container is suspended with what it runs. Killed
   * itself it would leave that to the machine's first process, and the container would last until that one gets round to it.
   */
  release(): void {
    if (this.#exitCode === null) this.#child?.kill("SIGCONT");
  }

  #end(code: number, connection: Duplex): void {
    this.#exitCode ??= code;
    connection.end();
  }
}

function pass(output: Readable, kind: number, connection: Duplex): void {
  output.on("data", (bytes: Buffer) => {
    if (connection.destroyed || connection.writableEnded) return;
    if (connection.write(frame(kind, bytes))) return;
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
