/** Process that builds the tenants' Worker of this checkout and sends it to its parent. */
import { bundleWorker } from "#workers/bundle.ts";
import { bundleToKeep } from "#workers/kept-bundle.ts";

process.send?.(bundleToKeep(await bundleWorker("tenant")), () => process.exit());
