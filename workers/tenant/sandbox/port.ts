/** What the tenant Worker needs from a sandbox. */
import type { DoctorFault, PrintedFinding } from "#workers/contracts/tenant/doctor.ts";
import type { EgressGap } from "#workers/contracts/tenant/egress.ts";
import type {
  ArchiveInfo,
  GatewayVersion,
  GatewayWork,
  ProcessList,
  RestoreAnswer,
  StartAnswer,
  StateInfo,
  VersionAnswer,
} from "#workers/contracts/tenant/sandbox.ts";

/** Network access of a running container. */
export interface ContainerNetwork {
  /** Whether what is not intercepted passes. */
  internet: boolean;
  gaps: EgressGap[];
}

/** Methods that take a signal reject when it aborts. Unless documented, a method neither wakes the sandbox nor keeps it awake. */
export interface SandboxPort {
  /** Returns the gateway and the startup script; empty while the sandbox sleeps. @throws when the sandbox cannot be reached */
  listProcesses(signal: AbortSignal): Promise<ProcessList>;
  /** Sends `GET http://localhost:{port}{path}` from inside the sandbox. @throws when nothing answers */
  probe(port: number, path: string, signal: AbortSignal): Promise<{ status: number; body: string }>;
  /** As {@link probe}, by POST. */
  post(port: number, path: string, body: string, signal: AbortSignal): Promise<{ status: number; body: string }>;
  /** Wakes the sandbox, and runs its startup script unless the script or a gateway already runs. */
  start(env: Record<string, string>): Promise<StartAnswer>;
  /**
   * Ends the gateway and the startup script, and waits for their end. No traffic passes meanwhile.
   *
   * @param idleMs required time without traffic. Default: none
   * @returns false when there was traffic within `idleMs`
   */
  kill(idleMs?: number): Promise<boolean>;
  /** Puts the sandbox to sleep: ends its processes and deletes its disk. */
  sleep(): Promise<void>;
  /**
   * Passes a request or a WebSocket upgrade to a port of the sandbox, streaming both ways.
   *
   * @throws PortClosed when nothing listens there, or traffic is disabled; AdmittedBeforeCut
   */
  fetch(request: Request, port: number): Promise<Response>;
  /** Applies the policy of network access in force to a running container. A starting one reads it itself. */
  followEgress(): Promise<void>;
  /** Returns the network access of the running container; `undefined` while none runs. */
  egress(): Promise<ContainerNetwork | undefined>;
  /** Closes every open WebSocket and stream. @param at milliseconds since the epoch: rejects requests that were admitted earlier */
  cut(at: number): Promise<void>;
  /**
   * Enables or disables tenant traffic. Probes always pass. A sandbox without this setting rejects traffic.
   *
   * @param cutAt as of {@link cut}
   */
  setTraffic(passes: boolean, cutAt: number, signal: AbortSignal): Promise<void>;
  /** Returns the last lines of the logs of the startup script and the gateway. */
  readLog(lines: number): Promise<string[]>;
  /** Returns the work as the gateway reports it; `undefined` if it does not. @throws when the sandbox cannot be reached */
  reportWork(signal: AbortSignal): Promise<GatewayWork | undefined>;
  /**
   * Returns the work that sleep would interrupt: reported by the gateway, or else measured within a few seconds.
   *
   * @throws when the sandbox cannot be reached or sleeps
   */
  getWork(signal: AbortSignal): Promise<WorkAnswer>;
  /** Runs the doctor of the image's gateway. @param repairs only while no gateway runs @throws when the sandbox cannot be reached or sleeps */
  runDoctor(repairs: boolean): Promise<DoctorOutcome>;
  /** Inspects the state directory; empty while the sandbox sleeps. */
  inspectState(signal: AbortSignal): Promise<StateInfo>;
  /**
   * Wakes the sandbox and returns the gateway version of its image, and the age of a state relative to it. Images from before this
   * command report neither.
   *
   * @param of the gateway that wrote the state. Default: as recorded in the state directory
   * @throws when the command fails
   */
  getVersions(of?: GatewayVersion): Promise<VersionAnswer>;
  /**
   * Archives the state of a running gateway. Remove the archive with {@link removeArchive}.
   *
   * @param state marks the state directory with this id first
   * @throws when the archive is incomplete, or the sandbox sleeps
   */
  createArchive(name: string, state?: string): Promise<ArchiveInfo>;
  /** Runs `files.mjs`, which reads files of the state. */
  runFiles(parameters: readonly string[]): Promise<FileResult>;
  /** Replaces a file of the state if its content has a hash. @returns the exit code of `files.mjs` @throws when the sandbox sleeps */
  writeFile(path: string, hash: string, content: Uint8Array): Promise<number>;
  readArchive(name: string): Promise<ReadableStream<Uint8Array>>;
  removeArchive(name: string): Promise<void>;
  /**
   * Wakes the sandbox and restores an archive into its empty state directory, completely or not at all. Checks the free space before it
   * unpacks.
   *
   * @throws when the restore could not run, which says nothing about the archive
   */
  restoreArchive(name: string, archive: ArchiveInfo, body: ReadableStream<Uint8Array>): Promise<RestoreAnswer>;
}

/** Result of `files.mjs`. `asleep`: no container runs. `absent`: an earlier image, which does not have the script. */
export type FileResult = { code: number; stdout: string } | "asleep" | "absent";

export interface WorkAnswer {
  work: GatewayWork;
  /** Whether the gateway reported it; else it was measured. */
  isReported: boolean;
}

export type DoctorOutcome =
  | { findings: PrintedFinding[] }
  | { fault: Extract<DoctorFault, "no_doctor" | "too_slow" | "failed">; details: string };

/** A request was admitted before the tenant's connections were cut. */
export class AdmittedBeforeCut extends Error {
  /** Milliseconds since the epoch. */
  readonly cutAt: number;

  constructor(cutAt: number) {
    super("The request was admitted before the tenant's connections were cut.");
    this.name = "AdmittedBeforeCut";
    this.cutAt = cutAt;
  }
}

/** Nothing listens on the port of the sandbox. */
export class PortClosed extends Error {
  constructor(port: number) {
    super(`Port ${port} of the sandbox is closed.`);
    this.name = "PortClosed";
  }
}
