/** `npm run token -- --email a@b --host acme.tenantry.localhost [--state DIR]` prints an Access token. */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { CatalogueError } from "#domain/errors/catalogue-error.ts";
import { localStartErrors } from "#domain/errors/commands/local-start.ts";
import { localToken } from "./local-token.ts";
import { reportedFailure } from "./start/failure.ts";
import { DEFAULT_STATE } from "./start/options.ts";
import { readEdgeFile } from "./state/edge-file.ts";

let directory = DEFAULT_STATE;
try {
  const { values } = parseArgs({
    options: { email: { type: "string" }, host: { type: "string" }, state: { type: "string" } },
  });
  if (!values.email || !values.host) throw new CatalogueError(localStartErrors.token_arguments_missing);
  directory = resolve(values.state ?? DEFAULT_STATE);
  const edge = readEdgeFile(directory);
  process.stdout.write(`${await localToken(edge, values.email, values.host)}\n`);
} catch (error) {
  process.stderr.write(`${reportedFailure(error, directory)}\n`);
  process.exitCode = 1;
}
