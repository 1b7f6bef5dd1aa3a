/** A container engine in a process of its own, which can be killed: prints what a tenant needs to know of it, as JSON. */
import { startContainerEngine } from "../../../local/containers/engine.ts";
import { TENANT_SCRIPT } from "./harness.ts";

/** This program: `DIRECTORY SCRIPTS COMMAND…`. */
export const ENGINE_PROCESS = import.meta.filename;

if (import.meta.main) {
  const [directory = "", scripts = "", ...gatewayCommand] = process.argv.slice(2);
  const engine = await startContainerEngine({ directory, scripts, gatewayCommand, log: () => {} });
  const { address, egressImage, marker } = engine;
  console.log(
    JSON.stringify({ address, egressImage, marker, key: engine.uniqueKey(TENANT_SCRIPT, "Sandbox"), directory }),
  );
}
