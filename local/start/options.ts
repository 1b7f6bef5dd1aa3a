import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import * as z from "zod";
import { CatalogueError } from "#domain/errors/catalogue-error.ts";
import { localStartErrors as errors } from "#domain/errors/commands/local-start.ts";

export const DEFAULT_PORT = 8787;
export const DEFAULT_STATE = join(import.meta.dirname, "../../.tenantry");

const port = z.coerce.number().int().min(1).max(65535);
const seed = z.coerce.number().int().min(0).optional();

export interface Options {
  port: number;
  state: string;
  /** Whether to remove existing data first. */
  fresh: boolean;
  /** Whether to use the vendors' plugins instead of the stand-ins. */
  vendorPlugins: boolean;
  /** Default: the reference gateway. */
  gatewayCommand: string[] | undefined;
  containers: "processes" | "docker";
  /** Image of the gateways. Default: the declared one, or the project's own. */
  image: string | undefined;
  /** Seed of injected faults. Default: none are injected. */
  weather: number | undefined;
}

export const USAGE = `npm start -- [--port N] [--state DIR] [--fresh] [--gateway COMMAND] [--containers docker [--image NAME]]
             [--vendor-plugins] [--weather SEED]

  --port N          port of everything, on 127.0.0.1 (default ${DEFAULT_PORT})
  --state DIR       directory of all data (default .tenantry)
  --fresh           removes existing data first
  --gateway COMMAND runs this in a sandbox instead of the reference gateway; {port} and {bind} are replaced, as in
                    "openclaw gateway run --port {port} --bind {bind} --auth token --allow-unconfigured"
  --containers docker  runs each gateway in a container of Docker or Podman instead of in processes
  --image NAME      image for them (default: the one in the settings, or one built from workers/tenant/container)
  --vendor-plugins  uses the vendors' provider plugins instead of the stand-ins
  --weather SEED    injects faults that Cloudflare has in production, the same ones for the same number
  --help            shows this text`;

const parseValues = (argv: readonly string[]) =>
  parseArgs({
    args: [...argv],
    options: {
      port: { type: "string" },
      state: { type: "string" },
      fresh: { type: "boolean" },
      gateway: { type: "string" },
      containers: { type: "string" },
      image: { type: "string" },
      "vendor-plugins": { type: "boolean" },
      weather: { type: "string" },
      help: { type: "boolean" },
    },
  }).values;

/**
 * @returns `undefined` for `--help`
 * @throws CatalogueError for an unknown option, with usage, or an invalid value
 */
export function parseOptions(argv: readonly string[]): Options | undefined {
  let values: ReturnType<typeof parseValues>;
  try {
    values = parseValues(argv);
  } catch (error) {
    const fault = (error as Error).message.split(". ")[0] ?? "";
    throw new CatalogueError(errors.start_line_invalid, { fault, usage: USAGE });
  }
  if (values.help) return undefined;
  const parsed = port.safeParse(values.port ?? DEFAULT_PORT);
  if (!parsed.success) throw new CatalogueError(errors.start_port_invalid, { value: JSON.stringify(values.port) });
  const weather = seed.safeParse(values.weather || undefined);
  if (!weather.success || values.weather === "")
    throw new CatalogueError(errors.start_weather_invalid, { value: JSON.stringify(values.weather) });
  const gatewayCommand = values.gateway?.split(/\s+/).filter((part) => part !== "");
  if (gatewayCommand?.length === 0) throw new CatalogueError(errors.start_gateway_empty);
  const { containers = "processes", image } = values;
  if (containers !== "processes" && containers !== "docker")
    throw new CatalogueError(errors.start_containers_unknown, { value: JSON.stringify(containers) });
  if (containers === "docker" && gatewayCommand !== undefined) throw new CatalogueError(errors.start_gateway_of_image);
  if (containers !== "docker" && image !== undefined) throw new CatalogueError(errors.start_image_without_containers);
  return {
    port: parsed.data,
    state: resolve(values.state ?? DEFAULT_STATE),
    fresh: values.fresh ?? false,
    vendorPlugins: values["vendor-plugins"] ?? false,
    gatewayCommand,
    containers,
    image,
    weather: weather.data,
  };
}
