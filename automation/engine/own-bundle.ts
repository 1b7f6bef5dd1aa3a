/** A process that builds the tenants' Worker of this checkout, and tells whoever started it. */
import { bundleWorker } from "#workers/bundle.ts";
import { bundleToKeep } from "#workers/kept-bundle.ts";

process.send?.(bundleToKeep(await bundleWorker("tenant")), () => process.exit());
