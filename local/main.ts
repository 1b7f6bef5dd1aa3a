/** `npm start`: the local edge with the demo platform deployed to it, until Ctrl-C. */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { CommandError } from "@pulumi/pulumi/automation/index.js";
import { removeDatabase } from "./database/database.ts";
import { addDemoUsers, demoUsers } from "./demo.ts";
import { deploy, selectStack } from "./deployment.ts";
import { type Edge, startEdge } from "./edge.ts";
import { type EdgeFile, removeEdgeFile, writeEdgeFile } from "./edge-file.ts";
import { engineFault } from "./engine-fault.ts";
import { type Options, parseOptions } from "./options.ts";
import { ProgressView } from "./progress.ts";
import { lockState } from "./state-lock.ts";
import { welcome } from "./welcome.ts";

const STACK = "local";
const SETTINGS = join(import.meta.dirname, "../Pulumi.local.yaml");

async function main(options: Options, ended: AbortSignal, aborted: AbortSignal): Promise<void> {
  const view = new ProgressView();
  if (options.fresh) await view.step("Removing the earlier data", () => removeState(options.state));
  const edge = await view.step("Starting the local edge", () =>
    startEdge({
      directory: options.state,
      port: options.port,
      ...(options.gatewayCommand === undefined ? {} : { gatewayCommand: options.gatewayCommand }),
    }),
  );
  try {
    if (ended.aborted) return;
    const { tenants, dashboard } = await view.step("Deploying the stack", () =>
      deployStack(edge, options, view, aborted),
    );
    if (ended.aborted) return;
    await addDemoUsers(edge);
    const file = describe(edge, tenants);
    writeEdgeFile(options.state, file);
    process.stdout.write(welcome(file, dashboard, options));
    if (!ended.aborted) await new Promise((resolve) => ended.addEventListener("abort", resolve, { once: true }));
  } finally {
    removeEdgeFile(options.state);
    process.stdout.write("\n  Stopping…\n");
    await edge.stop();
  }
}

async function deployStack(edge: Edge, options: Options, view: ProgressView, signal: AbortSignal) {
  const stack = await selectStack({
    directory: options.state,
    target: edge,
    name: STACK,
    settings: SETTINGS,
    vendorPlugins: options.vendorPlugins,
  });
  const outputs = await deploy(stack, view.resource, signal);
  view.resourcesDone();
  return outputs;
}

function describe(edge: Edge, tenants: Record<string, string>): EdgeFile {
  return {
    domain: edge.domain,
    port: edge.port,
    api: edge.apiUrl,
    apiToken: edge.apiToken,
    accountId: edge.accountId,
    zoneId: edge.zoneId,
    databaseUrl: edge.databaseUrl,
    restUrl: edge.restUrl,
    serviceRoleKeys: edge.serviceRoleKeys,
    access: edge.accessIssuer,
    dispatch: edge.dispatchUrls,
    mail: edge.mail,
    providersPort: edge.providersPort,
    passphrase: edge.passphrase,
    tenants: Object.entries(tenants).map(([slug, hostname]) => ({ slug, url: `http://${hostname}:${edge.port}` })),
    users: [
      { email: "root@tenantry.example", role: "ROOT", tenant: null },
      ...demoUsers
        .filter(({ tenant }) => tenant in tenants)
        .map(({ email, role, tenant }) => ({ email, role, tenant })),
    ],
  };
}

/** Only what a local edge made is removed: a directory that holds other files is refused. */
async function removeState(directory: string): Promise<void> {
  if (!existsSync(directory)) return;
  if (!existsSync(join(directory, "secrets.json"))) {
    throw new Error(`${directory} holds no data of a local edge; --fresh removes nothing else.`);
  }
  lockState(directory)();
  await removeDatabase(join(directory, "postgres"));
  rmSync(directory, { recursive: true, force: true });
}

// Ctrl-C waits for what is under way and then ends; SIGTERM asks the engine to end early, which it does gracefully.
const ended = new AbortController();
const aborted = new AbortController();
for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => ended.abort());
process.on("SIGTERM", () => {
  ended.abort();
  aborted.abort();
});

try {
  await main(parseOptions(process.argv.slice(2)), ended.signal, aborted.signal);
} catch (error) {
  // Ctrl-C reaches the engine too, which saves what is under way and then reports that it was cancelled.
  const cancelled = ended.signal.aborted && error instanceof CommandError;
  process.stderr.write(
    `\n${cancelled ? "Stopped before the deployment was complete; npm start goes on with it." : engineFault(error)}\n`,
  );
  process.exitCode = cancelled ? 130 : 1;
}
