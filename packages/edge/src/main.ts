#!/usr/bin/env node
/** The command `tenantry-edge`: runs an edge until Ctrl-C. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_ACCOUNT } from "./account/account.ts";
import { type CommandLine, parseCommandLine, USAGE } from "./command-line.ts";
import { plainImage } from "./containers/process-image.ts";
import { type Edge, startEdge } from "./edge.ts";

/** In the state directory: shell variables for clients, with the API token. */
const VARIABLES_FILE = "edge.env";

/** Variables of wrangler, the SDKs and the Pulumi provider. */
function variablesOf({ apiUrl, apiToken, accountId, zoneId }: Edge): Record<string, string> {
  return {
    CLOUDFLARE_API_BASE_URL: apiUrl,
    CLOUDFLARE_BASE_URL: apiUrl,
    CLOUDFLARE_API_TOKEN: apiToken,
    CLOUDFLARE_ACCOUNT_ID: accountId,
    CLOUDFLARE_ZONE_ID: zoneId,
  };
}

async function runEdge({ state, port, domain, containerPort }: CommandLine): Promise<void> {
  const stopped = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stopped.abort());
  const edge = await startEdge({
    directory: state,
    port,
    account: { ...DEFAULT_ACCOUNT, ...(domain !== undefined && { domain }) },
    image: { ...plainImage(), port: { number: containerPort, variable: "PORT" } },
    onLost(error) {
      process.stderr.write(`${error.message}\n`);
      process.exitCode = 1;
      stopped.abort();
    },
  });
  try {
    const file = join(state, VARIABLES_FILE);
    const lines = Object.entries(variablesOf(edge)).map(([name, value]) => `export ${name}=${value}\n`);
    writeFileSync(file, lines.join(""), { mode: 0o600 });
    process.stdout.write(
      `Cloudflare API   ${edge.apiUrl}\nAccount          ${edge.accountId}\nZone             ${edge.domain}, such as http://app.${edge.domain}:${edge.port}\nAccess           ${edge.accessIssuer}\nVariables        source ${file}\n\nPress Ctrl-C to stop.\n`,
    );
    if (!stopped.signal.aborted)
      await new Promise((resolve) => stopped.signal.addEventListener("abort", resolve, { once: true }));
  } finally {
    await edge.stop();
  }
}

try {
  const options = parseCommandLine(process.argv.slice(2));
  if (options === undefined) process.stdout.write(`${USAGE}\n`);
  else await runEdge(options);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
