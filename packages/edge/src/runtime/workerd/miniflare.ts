/**
 * Miniflare, with a configuration buffer that doubles when it grows. The original buffer grows by 4 KiB and copies its content each time: a
 * start with a Worker of 1.5 MB allocates 150 MB.
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
