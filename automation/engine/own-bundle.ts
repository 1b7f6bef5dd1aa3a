/** Process that builds the tenants' Worker of this checkout and sends it to its parent. */
import { bundleWorker } from "#workers/bundle.ts";
import { serializeBundle } from "#workers/stored-bundle.ts";

process.send?.(serializeBundle(await bundleWorker("tenant")), () => process.exit());
