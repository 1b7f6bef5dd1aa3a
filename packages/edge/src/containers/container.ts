import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { basename, join } from "node:path";
import { type Duplex, PassThrough } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { Exec } from "./exec.ts";
import type { Cgroups } from "./isolation/cgroups.ts";
import { type Confinement, type Init, startInit, type View } from "./isolation/confinement.ts";
import { type Disk, type Disks, prepareDisk } from "./isolation/disks.ts";
import { CONTAINER_MARKER, endProcesses } from "./isolation/processes.ts";
import { QUIET_LOADER } from "./isolation/seccomp.ts";
import { type ContainerUser, outsideId } from "./isolation/users.ts";
import type { ContainerNetwork } from "./network/container-network.ts";
import { prepareNamespace } from "./network/namespaces/prepared.ts";
import type { ProcessImage } from "./process-image.ts";
import { type ContainerRecord, removeDirectory, writeRecord } from "./records.ts";

/** Returns the file in which workerd stores the process id of a command. workerd never removes it. */
const pidFileOf = (command: readonly string[]): string | undefined =>
  /^echo \$\$ > (\/tmp\/\.workerd-exec-[\w-]+\.pid); exec "\$@"$/.exec(command[2] ?? "")?.[1];

interface ContainerOptions {
  directory: string;
  marker: string;
  confinement: Confinement;
  cgroups: Cgroups | undefined;
  disks: Disks;
  /** Returns the first user id of a free range. */
  chooseIds: () => number;
  image: ProcessImage;
  visible: readonly string[];
  /** Creates its network for a start. Default: that of the machine. */
  openNetwork?: (() => Promise<ContainerNetwork>) | undefined;
  /** Called when it starts or ends. */
  onChange: () => void;
  /** Variables of every process; those of its image and commands override them. */
  base: Record<string, string>;
  /** Returns the variables of a start that commands cannot override: addresses of its ports and hosts on this machine. */
  fixed: () => Promise<Record<string, string>>;
}

/** Has the files of its `/etc` that differ from the machine's. */
const ETC = "etc";
/** A folder in {@link ETC} that receives files while it runs. */
const CERTIFICATES = "cloudflare/certs";
const RESOLVER = "nameserver 127.0.0.1\n";
const KILLED = 137;
const WORKSPACE = "/workspace";
const RELEASE_INTERVAL_MS = 100;

/** Replaces a file that every user may read. */
function writeReadable(path: string, content: string | Buffer): void {
  writeFileSync(`${path}.new`, content);
  chmodSync(`${path}.new`, 0o644);
  renameSync(`${path}.new`, path);
}

function makeFolder(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) mkdirSync(path, { mode: 0o700 });
}

/** One container: its record and disk, its first process, and its commands. */
export class Container {
  readonly record: ContainerRecord;
  readonly #o: ContainerOptions;
  readonly #execs = new Set<Exec>();
  #init: Init | undefined;
  #network: ContainerNetwork | undefined;
  #disk: Disk;
  #fixed: Record<string, string> = {};
  #running = false;
  #firstId: number | undefined;
  #startedAt = 0;
  #exitCode = KILLED;
  #stopped = Promise.withResolvers<void>();
  #removed = Promise.withResolvers<void>();

  constructor(given: ContainerRecord, options: ContainerOptions) {
    this.record = given;
    this.#o = options;
    this.#disk = { directory: join(options.directory, "disk"), image: undefined };
    this.#firstId = given.firstId;
  }

  get running(): boolean {
    return this.#running;
  }

  /** When it last started, in milliseconds since the epoch. */
  get startedAt(): number {
    return this.#startedAt;
  }

  get directory(): string {
    return this.#o.directory;
  }

  /** Starts it on its disk. @throws Error with the reason when the machine does not allow it */
  async start(): Promise<void> {
    if (this.#running) return;
    const { confinement, cgroups, disks } = this.#o;
    const isConfined = confinement.kind === "namespaces";
    this.#firstId ??= this.#o.chooseIds();
    const user: ContainerUser = { users: isConfined ? confinement.users : "edge", first: this.#firstId };
    const owner = outsideId(user);
    this.#disk = await prepareDisk(this.#o.directory, { disks, megabytes: this.record.size?.diskMB, owner });
    this.#fixed = await this.#o.fixed();
    if (isConfined) {
      const root = join(this.#o.directory, "root");
      mkdirSync(root, { recursive: true, mode: 0o700 });
      const groups = cgroups?.open(this.record.name, this.record.size) ?? [];
      const init = await this.#startInit(root, { ...this.#o, confinement, user, disk: this.#disk, groups });
      this.#init = init;
      cgroups?.watch(this.record.name, () => void this.kill());
      void init.ended.then(() => this.#onEnd(init));
      void init.ending.then(() => (this.#init === init ? this.kill() : undefined));
    } else for (const name of this.#o.image.folders) makeFolder(join(this.#workspace, name));
    this.#stopped = Promise.withResolvers<void>();
    this.#running = true;
    this.#startedAt = Date.now();
    this.#exitCode = KILLED;
    this.#writeRecord(true);
    this.#o.onChange();
    const { command } = this.record;
    if (command !== undefined) this.#runMain(command);
  }

  async #startInit(root: string, view: View): Promise<Init> {
    const network = await this.#o.openNetwork?.();
    if (network === undefined) return startInit(root, view);
    const etc = join(this.#o.directory, ETC);
    this.#makeReadable(CERTIFICATES);
    writeReadable(join(etc, "resolv.conf"), RESOLVER);
    try {
      const init = await startInit(root, { ...view, network: { enter: network.enter, etc } });
      this.#network = network;
      // Its process takes time to start, which the container need not wait for.
      setImmediate(prepareNamespace);
      void init.ended.then(() => network.close());
      return init;
    } catch (error) {
      network.close();
      throw error;
    }
  }

  /** Connects to one of its ports; `undefined` without a network of its own, or when it does not run. */
  connect(port: number): Promise<Socket> | undefined {
    return this.#running ? this.#network?.connect(port) : undefined;
  }

  /** Writes a file of `/etc/cloudflare/certs`, also before its start. @throws Error for any other path */
  writeFile(path: string, content: Buffer): void {
    const name = path.slice(`/etc/${CERTIFICATES}/`.length);
    if (!path.startsWith(`/etc/${CERTIFICATES}/`) || !/^[\w-][\w.-]*$/.test(name))
      throw new Error(`writing ${path} of a container is not supported`);
    writeReadable(join(this.#makeReadable(CERTIFICATES), name), content);
  }

  /** Creates a folder in {@link ETC} for its processes to read. */
  #makeReadable(name: string): string {
    let path = join(this.#o.directory, ETC);
    for (const part of ["", ...name.split("/")]) {
      path = join(path, part);
      mkdirSync(path, { recursive: true, mode: 0o700 });
      chmodSync(path, 0o755);
    }
    return path;
  }

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

  /** Waits until it has ended. @returns its exit code */
  async stopped(): Promise<number> {
    if (this.#running) await this.#stopped.promise;
    return this.#exitCode;
  }

  /** Waits until it is removed. */
  removed(): Promise<void> {
    return this.#removed.promise;
  }

  /** Sends SIGTERM to its first process. A container without namespaces has none, so it ends. */
  async terminate(): Promise<void> {
    if (this.#init === undefined) await this.kill();
    else this.#init.kill("SIGTERM");
  }

  /** Kills its first process, and with it all others. */
  async kill(): Promise<void> {
    if (!this.#running) return;
    const init = this.#init;
    if (init !== undefined) {
      init.kill("SIGKILL");
      // A namespace ends when all its processes are reaped, also by the commands that entered it, which exit a moment later.
      const ended = Promise.all([init.ended, ...[...this.#execs].map(({ exited }) => exited)]);
      // They may be suspended in between, so repeat it.
      for (let gone = false; !gone; ) {
        init.release();
        this.#releaseExecs();
        gone = await Promise.race([ended.then(() => true), delay(RELEASE_INTERVAL_MS, false, { ref: false })]);
      }
    } else {
      await endProcesses(this.#o.marker);
      this.#onEnd(undefined);
    }
  }

  async remove(): Promise<void> {
    await this.kill();
    await this.#o.cgroups?.remove(this.record.name);
    removeDirectory(this.#o.directory);
    this.#removed.resolve();
  }

  /** Kills it, as the end of the machine would. It runs again at the next call. */
  async suspend(): Promise<void> {
    const wasRunning = this.#running;
    await this.kill();
    if (wasRunning) this.#writeRecord(true);
  }

  /** Runs a prepared command. @throws Error when the container does not run */
  run(exec: Exec, connection: Duplex): void {
    if (!this.#running) throw new Error("the container is not running");
    const { command, env, workingDirectory } = exec.request;
    const confined = this.#init !== undefined;
    const temporary = this.#temporary();
    const home = confined ? WORKSPACE : this.#workspace;
    const inside = workingDirectory === undefined ? command : ["env", "-C", workingDirectory, ...command];
    exec.start(
      [...(this.#init?.enter ?? []), ...inside],
      {
        cwd: confined ? "/" : home,
        env: {
          ...this.#o.base,
          HOME: home,
          ...this.record.env,
          ...env,
          ...(confined ? {} : this.#unconfinedVariables()),
          ...this.#fixed,
          ...QUIET_LOADER,
          [CONTAINER_MARKER]: this.#o.marker,
        },
      },
      connection,
    );
    this.#execs.add(exec);
    void exec.exited.then(() => this.#execs.delete(exec));
    connection.once("close", () => {
      const pidFile = pidFileOf(command);
      if (pidFile !== undefined) rmSync(join(temporary, basename(pidFile)), { force: true });
    });
  }

  /** On the machine, of a container without namespaces. */
  get #workspace(): string {
    return join(this.#disk.directory, "workspace");
  }

  /** Returns its `/tmp` on the machine. */
  #temporary(): string {
    if (this.#init === undefined) return "/tmp";
    const { directory, image } = this.#disk;
    return join(image === undefined ? directory : `/proc/${this.#init.pid}/root`, "tmp");
  }

  /** Returns the paths of folders that are at fixed paths in confined containers. */
  #unconfinedVariables(): Record<string, string> {
    const { unconfined, scripts } = this.#o.image;
    const folders: Record<string, string> = { "{workspace}": this.#workspace, "{scripts}": scripts };
    return Object.fromEntries(
      Object.entries(unconfined).map(([name, value]) => [
        name,
        value.replace(/\{workspace\}|\{scripts\}/g, (folder) => folders[folder] ?? folder),
      ]),
    );
  }

  #onEnd(init: Init | undefined): void {
    if (this.#init !== init || !this.#running) return;
    this.#init = undefined;
    this.#network = undefined;
    this.#running = false;
    this.#o.cgroups?.unwatch(this.record.name);
    this.#releaseExecs();
    this.#writeRecord(false);
    this.#o.onChange();
    this.#stopped.resolve();
  }

  #releaseExecs(): void {
    for (const exec of this.#execs) exec.release();
  }

  #writeRecord(running: boolean): void {
    const first = this.#firstId === undefined ? {} : { firstId: this.#firstId };
    writeRecord(this.#o.directory, { ...this.record, ...first, running });
  }
}
