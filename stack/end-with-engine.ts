/**
 * Ends the program when the engine that runs it is gone, killed for instance. By itself it would go on: the SDK reports each
 * failed call to an output that nobody reads any more, takes that failure for one more to report, and fills the memory.
 * Imported for this effect alone, before anything else.
 */
import { Worker } from "node:worker_threads";

/** Set by the SDK where the program has a process of its own; a caller of the Automation API is not ended with its engine. */
const engine = process.env.PULUMI_NODEJS_ENGINE;

// A thread of its own: declaring a large fleet, or reporting those failures, keeps this one busy for many seconds.
if (engine) new Worker(new URL("./engine-watch.ts", import.meta.url), { workerData: engine }).unref();
