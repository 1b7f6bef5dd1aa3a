/** The engine's processes that this one starts and that take a stack's lock, which names them by their number. */
import type { ChildProcess } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";

const LOCKING = new Set(["up", "destroy", "refresh"]);

/** @param hear is told of each as it begins. The SDK, which starts most of them, tells nobody */
export function lockingEngines(hear: (pid: number) => void): void {
  subscribe("child_process", (message) => {
    const { process: child } = message as { process: ChildProcess };
    child.once("spawn", () => {
      const [command = "", operation = ""] = child.spawnargs;
      if (child.pid !== undefined && /(^|\/)pulumi$/.test(command) && LOCKING.has(operation)) hear(child.pid);
    });
  });
}
