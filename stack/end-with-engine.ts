/**
 * Ends the program when its engine exits, for example when it is killed. The SDK would report each failed call to an unread output
 * again and again, until memory is full. Import it first, for its effect.
 */
import { Worker } from "node:worker_threads";

/** The SDK sets it for a program in its own process. A caller of the Automation API must not end with its engine. */
const engine = process.env.PULUMI_NODEJS_ENGINE;

// In a thread, because declaring a large fleet or reporting failures can block the main thread for many seconds.
if (engine) new Worker(new URL("./engine-watch.ts", import.meta.url), { workerData: engine }).unref();
