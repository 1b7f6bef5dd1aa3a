import type { ChildProcess } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";

const LOCKING = new Set(["up", "destroy", "refresh"]);

/**
 * Reports each engine process that takes a stack's lock, which names the process by its ID. The SDK starts most of them without reporting
 * them.
 */
export function lockingEngines(onStart: (pid: number) => void): void {
  subscribe("child_process", (message) => {
    const { process: child } = message as { process: ChildProcess };
    child.once("spawn", () => {
      const [command = "", operation = ""] = child.spawnargs;
      if (child.pid !== undefined && /(^|\/)pulumi$/.test(command) && LOCKING.has(operation)) onStart(child.pid);
    });
  });
}
