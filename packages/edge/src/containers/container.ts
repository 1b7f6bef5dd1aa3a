/** One container: its record and disk, its first process, and the commands that run in it. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type Duplex, PassThrough } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod";
import { type Confinement, entering, type Init, makeOwned, startInit } from "./confinement.ts";
import { Exec } from "./exec.ts";
import type { ProcessImage } from "./process-image.ts";
import { CONTAINER_MARKER, endProcesses } from "./processes.ts";

const record = z.object({
  name: z.string(),
  image: z.string(),
  env: z.record(z.string(), z.string()),
  /** The variables that its image had when it was made; absent where nothing was told of the image. */
  imageEnv: z.record(z.string(), z.string()).optional(),
  /** The main program, as `container.start({ entrypoint })` names it. Default: none; the container idles. */
  command: z.array(z.string()).optional(),
  /** Whether it was running when it was last heard of. */
  running: z.boolean(),
});
export type ContainerRecord = z.infer<typeof record>;

/** Where workerd has each command write down its process number, which it never removes. */
const pidNote = (command: readonly string[]): string | undefined =>
  /^echo \$\$ > (\/tmp\/\.workerd-exec-[\w-]+\.pid); exec "\$@"$/.exec(command[2] ?? "")?.[1];

export interface ContainerOptions {
  /** Where its record and disk lie. */
  directory: string;
  /** Marks its processes. */
  marker: string;
  confinement: Confinement;
  image: ProcessImage;
  visible: readonly string[];
  /** Hears when it begins or ends to run. */
  onChange: () => void;
  /** Variables of every process, before those of its image and its commands. */
  base: Record<string, string>;
  /** Variables that no command may change: where its ports and its ways out are on this machine. */
  fixed: Record<string, string>;
}

const RECORD = "container.json";
/** Exit code that a killed container tells. */
const KILLED = 137;
const WORKSPACE = "/workspace";
const RELEASE_INTERVAL_MS = 100;

export class Container {
  readonly record: ContainerRecord;
  readonly #o: ContainerOptions;
  readonly #execs = new Set<Exec>();
  #init: Init | undefined;
  #stopped = Promise.withResolvers<void>();
  #removed = Promise.withResolvers<void>();

  constructor(given: ContainerRecord, options: ContainerOptions) {
    this.record = given;
    this.#o = options;
  }

  /** The container whose record lies in a directory; `undefined` when none does. */
  static read(directory: string): ContainerRecord | undefined {
    try {
      return record.parse(JSON.parse(readFileSync(join(directory, RECORD), "utf8")));
    } catch {
      return undefined;
    }
  }

  get running(): boolean {
    return this.#running;
  }
  #running = false;
  #exitCode = KILLED;

  /** Where its record and its disk lie. */
  get directory(): string {
    return this.#o.directory;
  }

  /** Where everything that it writes lies. */
  get disk(): string {
    return join(this.#o.directory, "disk");
  }

  /**
   * Starts it, on the disk it has.
   *
   * @throws Error with the reason when the machine does not allow it
   */
  async start(): Promise<void> {
    if (this.#running) return;
    const workspace = join(this.disk, "workspace");
    for (const path of [workspace, join(this.disk, "tmp")]) makeOwned(path);
    for (const name of this.#o.image.folders) makeOwned(join(workspace, name));
    if (this.#o.confinement.kind === "namespaces") {
      const root = join(this.#o.directory, "root");
      mkdirSync(root, { recursive: true, mode: 0o700 });
      const { image, visible } = this.#o;
      const init = await startInit(root, { disk: this.disk, image, visible });
      this.#init = init;
      void init.ended.then(() => this.#ended(init));
    }
    this.#stopped = Promise.withResolvers<void>();
    this.#running = true;
    this.#exitCode = KILLED;
    this.#write(true);
    this.#o.onChange();
    const { command } = this.record;
    if (command !== undefined) this.#runMain(command);
  }

  /** Runs the main program. The container ends with it. */
  #runMain(command: readonly string[]): void {
    const init = this.#init;
    const main = new Exec({ command, env: {} });
    const output = new PassThrough();
    output.end();
    output.resume();
    this.run(main, output);
    void main.exited.then(() => {
      if (!this.#running || this.#init !== init) return;
      this.#exitCode = main.state.ExitCode ?? KILLED;
      return this.kill();
    });
  }

  /** Waits until it does not run. @returns its exit code */
  async stopped(): Promise<number> {
    if (this.#running) await this.#stopped.promise;
    return this.#exitCode;
  }

  /** Waits until it is removed. */
  removed(): Promise<void> {
    return this.#removed.promise;
  }

  /** Ends its first process and with it all others. An idle first process takes no notice of a gentler signal. */
  async kill(): Promise<void> {
    if (!this.#running) return;
    if (this.#init !== undefined) {
      this.#init.kill("SIGKILL");
      // A namespace ends when all in it are reaped, by those that entered it from outside too. These exit a moment later.
      const ended = Promise.all([this.#init.ended, ...[...this.#execs].map(({ exited }) => exited)]);
      // One that is just being suspended is told again.
      for (let gone = false; !gone; ) {
        this.#releaseExecs();
        gone = await Promise.race([ended.then(() => true), delay(RELEASE_INTERVAL_MS, false, { ref: false })]);
      }
    } else {
      await endProcesses(this.#o.marker);
      this.#ended(undefined);
    }
  }

  /** Ends it and removes its disk. */
  async remove(): Promise<void> {
    await this.kill();
    // A state that is gone by half never shows.
    const removed = `${this.#o.directory}.removed`;
    rmSync(removed, { recursive: true, force: true });
    try {
      renameSync(this.#o.directory, removed);
    } catch {
      // It was never started.
    }
    rmSync(removed, { recursive: true, force: true });
    this.#removed.resolve();
  }

  /** Ends it, as the machine's end would: it runs again when it is next asked for. */
  async suspend(): Promise<void> {
    const wasRunning = this.#running;
    await this.kill();
    if (wasRunning) this.#write(true);
  }

  /** Runs a prepared command. @throws Error when the container does not run */
  run(exec: Exec, connection: Duplex): void {
    if (!this.#running) throw new Error("the container does not run");
    const { command, env, workingDirectory } = exec.request;
    const confined = this.#init !== undefined;
    const home = confined ? WORKSPACE : join(this.disk, "workspace");
    const inside = workingDirectory === undefined ? command : ["env", "-C", workingDirectory, ...command];
    exec.start(
      entering(this.#init, inside),
      {
        cwd: confined ? "/" : home,
        env: {
          ...this.#o.base,
          HOME: home,
          ...this.record.env,
          ...env,
          ...(confined ? {} : this.#unconfined()),
          ...this.#o.fixed,
          [CONTAINER_MARKER]: this.#o.marker,
        },
      },
      connection,
    );
    this.#execs.add(exec);
    void exec.exited.then(() => this.#execs.delete(exec));
    connection.once("close", () => {
      const note = pidNote(command);
      if (note !== undefined) rmSync(confined ? join(this.disk, "tmp", basename(note)) : note, { force: true });
    });
  }

  /** Variables of a container that is not confined: where its folders are, which others have at fixed paths. */
  #unconfined(): Record<string, string> {
    const { unconfined, scripts } = this.#o.image;
    const folders: Record<string, string> = { "{workspace}": join(this.disk, "workspace"), "{scripts}": scripts };
    return Object.fromEntries(
      Object.entries(unconfined).map(([name, value]) => [
        name,
        value.replace(/\{workspace\}|\{scripts\}/g, (folder) => folders[folder] ?? folder),
      ]),
    );
  }

  #ended(init: Init | undefined): void {
    if (this.#init !== init || !this.#running) return;
    this.#init = undefined;
    this.#running = false;
    this.#releaseExecs();
    this.#write(false);
    this.#o.onChange();
    this.#stopped.resolve();
  }

  #releaseExecs(): void {
    for (const exec of this.#execs) exec.release();
  }

  #write(running: boolean): void {
    const path = join(this.#o.directory, RECORD);
    mkdirSync(this.#o.directory, { recursive: true, mode: 0o700 });
    writeFileSync(`${path}.new`, JSON.stringify({ ...this.record, running }), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  }
}
