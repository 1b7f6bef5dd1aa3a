/** What the tenant Worker needs of a sandbox, whatever runs it. */
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

export interface SandboxPort {
  /**
   * The gateway and the startup script, in one lookup. Neither wakes the sandbox nor keeps it awake; empty when it sleeps.
   *
   * @throws when the sandbox cannot be asked, or `signal` ends it
   */
  listProcesses(signal: AbortSignal): Promise<ProcessList>;
  /**
   * `GET http://localhost:{port}{path}` from inside the sandbox. Neither wakes it nor keeps it awake.
   *
   * @throws when nothing answers, or `signal` ends it
   */
  probe(port: number, path: string, signal: AbortSignal): Promise<{ status: number; body: string }>;
  /** As {@link probe}, by POST. */
  post(port: number, path: string, body: string, signal: AbortSignal): Promise<{ status: number; body: string }>;
  /** Wakes the sandbox and runs the startup script, unless one or a gateway runs there already. */
  start(env: Record<string, string>): Promise<StartAnswer>;
  /**
   * Ends the gateway and the startup script; returns when they are gone. No traffic passes meanwhile.
   *
   * @param idleMs only when there was no traffic for that long
   * @returns whether that was so
   */
  kill(idleMs?: number): Promise<boolean>;
  /** Puts the sandbox to sleep: its processes end and its disk is lost. Returns when that is done; a sleeping one stays asleep. */
  sleep(): Promise<void>;
  /**
   * Passes a request, or a WebSocket upgrade, to a port of the sandbox, streaming both ways.
   *
   * @throws PortClosed when nothing listens there, or traffic does not pass
   */
  fetch(request: Request, port: number): Promise<Response>;
  /** Ends every WebSocket and stream that is open to it. */
  cut(): Promise<void>;
  /**
   * Lets the tenant's traffic pass or, from when this returns, turns it away as if nothing listened. Probes always pass. A sandbox
   * that has forgotten, or was never told, turns it away.
   */
  setTraffic(passes: boolean, signal: AbortSignal): Promise<void>;
  /** The last lines of the startup script's log and of the gateway's. */
  readLog(lines: number): Promise<string[]>;
  /**
   * What the sandbox's sleep would cut off: what the gateway tells or, where it does not, what can be measured of it in some seconds.
   * Neither wakes the sandbox nor keeps it awake.
   *
   * @throws when the sandbox cannot be asked or sleeps, or `signal` ends it
   */
  askWork(signal: AbortSignal): Promise<WorkAnswer>;
  /** The state directory. Neither wakes the sandbox nor keeps it awake; empty when it sleeps. */
  inspectState(signal: AbortSignal): Promise<StateInfo>;
  /**
   * Wakes the sandbox and asks which gateway its image has, and what a state is to it. An earlier image, which does not know the question,
   * tells nothing.
   *
   * @param of the gateway that wrote the state. Default: what the state directory tells
   * @throws when it cannot be asked
   */
  askVersions(of?: GatewayVersion): Promise<VersionAnswer>;
  /**
   * Archives the state of a running gateway; does not keep the sandbox awake. Ended by {@link removeArchive}.
   *
   * @param state what the state directory is marked as first, whatever it was marked as
   * @throws when there is no whole archive, or the sandbox sleeps
   */
  createArchive(name: string, state?: string): Promise<ArchiveInfo>;
  /** The bytes of an archive. */
  readArchive(name: string): Promise<ReadableStream<Uint8Array>>;
  removeArchive(name: string): Promise<void>;
  /**
   * Wakes the sandbox and restores an archive into its empty state directory, whole or not at all. One for which there is no room is
   * refused before it is unpacked.
   *
   * @throws when it could not be tried, which says nothing about the archive
   */
  restoreArchive(name: string, archive: ArchiveInfo, body: ReadableStream<Uint8Array>): Promise<RestoreAnswer>;
}

export interface WorkAnswer {
  work: GatewayWork;
  /** Whether the gateway told it; else it was measured. */
  told: boolean;
}

/** Nothing listens on the port of the sandbox. */
export class PortClosed extends Error {
  constructor(port: number) {
    super(`nothing listens on port ${port} of the sandbox`);
    this.name = "PortClosed";
  }
}
