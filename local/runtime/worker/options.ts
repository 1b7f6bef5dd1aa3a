/** A stored script as one Worker of a Miniflare instance. */
import { supportedCompatibilityDate } from "miniflare";
import type { Surroundings } from "../../cloudflare/binding.ts";
import type { ScriptRecord } from "../../cloudflare/kinds/scripts/record.ts";
import type { ContainerEngine } from "../../containers/engine.ts";
import { bindingOptions } from "./bindings.ts";
import type { WorkerDefinition } from "./definition.ts";
import { MODULES_ROOT, scriptModules } from "./modules.ts";

/** What a script with no compatibility date gets from the vendor. */
const OLDEST_DATE = "2021-11-02";

/**
 * @param secret what requests on the Worker's socket must carry
 * @param frontPort where everything the Worker fetches goes
 * @param domain the zone, which other Workers see in `CF-Worker`
 * @throws Error naming the script when it cannot be expressed
 */
export function workerOptions(
  script: ScriptRecord,
  around: Surroundings & { containers: ContainerEngine; secret: string; frontPort: number; domain: string },
): WorkerDefinition {
  try {
    return {
      name: script.name,
      modules: scriptModules(around.store, script, around.secret),
      modulesRoot: MODULES_ROOT,
      compatibilityDate: compatibilityDate(script.compatibility_date ?? OLDEST_DATE),
      compatibilityFlags: compatibilityFlags(script.compatibility_flags),
      zone: around.domain,
      outboundService: { external: { address: `127.0.0.1:${around.frontPort}`, http: { style: 1 } } },
      ...(script.containers.length === 0 ? {} : { containerEngine: engineOptions(around.containers) }),
      unsafeDirectSockets: [{ host: "127.0.0.1", port: 0, proxy: true }],
      ...bindingOptions(script, around),
    };
  } catch (error) {
    throw new Error(`${script.id} cannot run: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Where workerd finds its containers. */
export function engineOptions({ address, egressImage }: Pick<ContainerEngine, "address" | "egressImage">) {
  return { localDocker: { socketPath: address, containerEgressInterceptorImage: egressImage } };
}

// A script may ask for a later date than this workerd knows; the vendor's is newer.
function compatibilityDate(asked: string): string {
  return asked < supportedCompatibilityDate ? asked : supportedCompatibilityDate;
}

// The entry module needs AsyncLocalStorage.
function compatibilityFlags(flags: string[]): string[] {
  return flags.some((flag) => flag === "nodejs_compat" || flag === "nodejs_als") ? flags : [...flags, "nodejs_als"];
}
