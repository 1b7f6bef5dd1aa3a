/** Prepares the process of the stack program. Import it first, for its effect. */
import inspector from "node:inspector";
import { Worker } from "node:worker_threads";

/** The SDK sets it for a program in its own process. A caller of the Automation API must be left alone. */
const engine = process.env.PULUMI_NODEJS_ENGINE;

if (engine) {
  // Ends the program when its engine exits, for example when it is killed. The SDK would report each failed call to an unread output again
  // and again, until memory is full. In a thread, because declaring a large fleet can block the main thread for many seconds.
  new Worker(new URL("./engine-watch.ts", import.meta.url), { workerData: engine }).unref();
  // Restores Node's own stack traces. The SDK captures one for each resource and promise, and its loader maps every line to sources, which
  // takes half of a run's time.
  Reflect.deleteProperty(Error, "prepareStackTrace");
  // Waits for a debugger. `NODE_OPTIONS` would stop the language host's own processes too.
  const { TENANTRY_INSPECT: port } = process.env;
  if (port) inspector.open(Number(port), "127.0.0.1", true);
}
