import type { Surroundings } from "../../cloudflare/binding.ts";
import type { ScriptRecord } from "../../cloudflare/kinds/scripts/record.ts";
import type { ContainerEngine } from "../../containers/engine.ts";
import type { EdgeLimits } from "../../limits/edge-limits.ts";
import type { WorkerWeather } from "../../weather/worker-weather.ts";
import { gateName } from "../assets/gate.ts";
import { bindingOptions } from "./bindings.ts";
import { compatibilityDate, compatibilityFlags } from "./compatibility.ts";
import type { WorkerDefinition } from "./definition.ts";
import { MODULES_ROOT, scriptModules } from "./modules.ts";
import { WEATHER_BINDING } from "./weather-module.ts";

/**
 * Returns the options of Miniflare for a stored script.
 *
 * @param around.secret required of requests on the socket of the Worker
 * @param around.frontPort receives everything that the Worker fetches
 * @param around.domain the zone, which other Workers see in `CF-Worker`
 * @throws Error with the name of the script when it cannot run
 */
export function workerOptions(
  script: ScriptRecord,
  around: Surroundings & {
    containers: ContainerEngine;
    limits: EdgeLimits;
    secret: string;
    frontPort: number;
    domain: string;
    weather?: WorkerWeather | undefined;
  },
): WorkerDefinition {
  try {
    const bindings = bindingOptions(script, around);
    return {
      name: script.name,
      modules: scriptModules(around, script),
      modulesRoot: MODULES_ROOT,
      compatibilityDate: compatibilityDate(script),
      compatibilityFlags: compatibilityFlags(script),
      zone: around.domain,
      outboundService: { external: { address: `127.0.0.1:${around.frontPort}`, http: { style: 1 } } },
      ...(script.containers.length === 0 ? {} : { containerEngine: engineOptions(around.containers) }),
      unsafeDirectSockets: [
        { host: "127.0.0.1", port: 0, proxy: true, ...(script.assets && { serviceName: gateName(script) }) },
      ],
      ...bindings,
      ...(around.weather && { serviceBindings: { ...bindings.serviceBindings, ...weatherService(around.hub) } }),
    };
  } catch (error) {
    throw new Error(`${script.id} cannot run: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const weatherService = (hub: string) => ({ [WEATHER_BINDING]: { external: { address: `unix:${hub}`, http: {} } } });

export function engineOptions({ address, egressImage }: Pick<ContainerEngine, "address" | "egressImage">) {
  return { localDocker: { socketPath: address, containerEgressInterceptorImage: egressImage } };
}
