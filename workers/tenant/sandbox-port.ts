/** What the tenant Worker needs of a sandbox, whatever runs it. */
import type { ProcessList, StartAnswer } from "../contracts/sandbox.ts";

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
  /** Wakes the sandbox and runs the startup script, unless one or a gateway runs there already. */
  start(env: Record<string, string>): Promise<StartAnswer>;
  /** Ends the gateway and the startup script; returns when they are gone. */
  kill(): Promise<void>;
  /**
   * Passes a request, or a WebSocket upgrade, to a port of the sandbox, streaming both ways.
   *
   * @throws PortClosed when nothing listens there
   */
  fetch(request: Request, port: number): Promise<Response>;
  /** The last lines of the startup script's log and of the gateway's. */
  readLog(lines: number): Promise<string[]>;
}

/** Nothing listens on the port of the sandbox. */
export class PortClosed extends Error {
  constructor(port: number) {
    super(`nothing listens on port ${port} of the sandbox`);
    this.name = "PortClosed";
  }
}
