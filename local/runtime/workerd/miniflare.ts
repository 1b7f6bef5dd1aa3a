/**
 * Miniflare, with a configuration that doubles its buffer when it grows. Its own grows by 4 KiB and copies all that was written each time.
 * A configuration of the platform's Workers is 2 MiB, so each start took 200 MiB of buffers, and the collections of garbage that they
 * cause took an eighth of the processor time of a test run.
 */
import { createRequire, registerHooks } from "node:module";

const MODULE = /\/miniflare\/dist\/src\/index\.js$/;
const GROWTH = "new ArrayBuffer(srcBuffer.byteLength + minSize)";
const DOUBLED = "new ArrayBuffer(srcBuffer.byteLength + Math.max(minSize, srcBuffer.byteLength))";

const hooks = registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    return MODULE.test(url) ? { ...loaded, source: String(loaded.source).replace(GROWTH, DOUBLED) } : loaded;
  },
});
const miniflare: typeof import("miniflare") = createRequire(import.meta.url)("miniflare");
hooks.deregister();

export const { ASSETS_PLUGIN, Miniflare, Response, SharedBindings, supportedCompatibilityDate, WebSocketPair } =
  miniflare;
export type Miniflare = import("miniflare").Miniflare;
export type Response = import("miniflare").Response;
