/** `npm run token -- --email a@b --host acme.tenantry.localhost [--state DIR]` prints an Access token. */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { localToken } from "./local-token.ts";
import { DEFAULT_STATE } from "./start/options.ts";
import { readEdgeFile } from "./state/edge-file.ts";

try {
  const { values } = parseArgs({
    options: { email: { type: "string" }, host: { type: "string" }, state: { type: "string" } },
  });
  if (!values.email || !values.host)
    throw new Error("Usage: npm run token -- --email a@b --host acme.tenantry.localhost");
  const edge = readEdgeFile(resolve(values.state ?? DEFAULT_STATE));
  process.stdout.write(`${await localToken(edge, values.email, values.host)}\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
