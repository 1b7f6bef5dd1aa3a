/** A stored script as one Worker of a Miniflare instance. */
import type { Surroundings } from "../../cloudflare/binding.ts";
import type { ScriptRecord } from "../../cloudflare/kinds/scripts/record.ts";
import type { ContainerEngine } from "../../containers/engine.ts";
import { gateName } from "../assets/gate-name.ts";
import { bindingOptions } from "./bindings.ts";
import { compatibilityDate, compatibilityFlags } from "./compatibility.ts";
import type { WorkerDefinition } from "./definition.ts";
import { MODULES_ROOT, scriptModules } from "./modules.ts";

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
      compatibilityDate: compatibilityDate(script),
      compatibilityFlags: compatibilityFlags(script),
      zone: around.domain,
      outboundService: { external: { address: `127.0.0.1:${around.frontPort}`, http: { style: 1 } } },
      ...(script.containers.length === 0 ? {} : { containerEngine: engineOptions(around.containers) }),
      unsafeDirectSockets: [
        { host: "127.0.0.1", port: 0, proxy: true, ...(script.assets && { serviceName: gateName(script) }) },
      ],
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
