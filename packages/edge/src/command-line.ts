import { resolve } from "node:path";
import { parseArgs } from "node:util";
import * as z from "zod";

export const USAGE = `tenantry-edge [--state DIR] [--port N] [--domain NAME] [--container-port N]

  --state DIR         folder of all state (default .edge)
  --port N            port of everything, on 127.0.0.1; 0 takes a free one (default 8787)
  --domain NAME       zone of routes and custom domains (default edge.localhost)
  --container-port N  port that Workers reach in their containers; a program in a container listens on $PORT (default 8080)
  --help              shows this text`;

const port = z.coerce.number().int().min(0).max(65_535);

export interface CommandLine {
  /** Absolute path. */
  state: string;
  port: number;
  domain: string | undefined;
  containerPort: number;
}

/**
 * Parses the options of `tenantry-edge`.
 *
 * @returns `undefined` for `--help`
 * @throws Error for an unknown option or an invalid value
 */
export function parseCommandLine(args: readonly string[]): CommandLine | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      state: { type: "string", default: ".edge" },
      port: { type: "string", default: "8787" },
      domain: { type: "string" },
      "container-port": { type: "string", default: "8080" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  const number = (name: "port" | "container-port") => {
    const parsed = port.safeParse(values[name]);
    if (!parsed.success) throw new Error(`--${name} must be a number from 0 to 65535, not ${values[name]}.`);
    return parsed.data;
  };
  if (values.domain !== undefined && !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(values.domain))
    throw new Error(`--domain must be a name such as edge.localhost, not ${values.domain}.`);
  return {
    state: resolve(values.state),
    port: number("port"),
    domain: values.domain,
    containerPort: number("container-port"),
  };
}
