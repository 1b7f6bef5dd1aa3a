/** The sandboxes of a directory in a process of their own: prints the socket of tenant `acme`, and lives until killed. */
import { startSandboxes } from "../../../local/sandbox/sandboxes.ts";

/** This program: `DIRECTORY START_SCRIPT COMMAND…`. */
export const SANDBOX_PROCESS = import.meta.filename;

if (import.meta.main) {
  const [directory = "", startScript = "", ...gatewayCommand] = process.argv.slice(2);
  const sandboxes = await startSandboxes({ directory, startScript, gatewayCommand, log: () => {} });
  console.log(await sandboxes.socket({ namespace: "tenants", name: "tenant-acme", className: "Sandbox" }));
}
