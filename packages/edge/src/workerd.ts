/** One workerd with your own Workers, without the edge. */
export { readCpu } from "./runtime/cells/cpu-meter.ts";
export type { WorkerDefinition } from "./runtime/worker/definition.ts";
export { nativeBindings } from "./runtime/worker/native-bindings.ts";
export { engineOptions } from "./runtime/worker/options.ts";
export { Miniflare, Response, WebSocketPair } from "./runtime/workerd/miniflare.ts";
export { createScratch, removeScratch, startWorkerd } from "./runtime/workerd/workerd.ts";
