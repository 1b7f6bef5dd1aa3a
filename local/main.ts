/** `npm start`: runs the local edge with the demo platform until Ctrl-C. */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { lockState, providerAccounts } from "@tenantry/edge";
import { prepareEngine, removeContainers } from "@tenantry/edge/containers";
import { removeDatabase } from "@tenantry/postgres";
import { freePort } from "@tenantry/std/free-port";
import { CatalogueError } from "#domain/errors/catalogue-error.ts";
import { localStartErrors } from "#domain/errors/commands/local-start.ts";
import { startEdge } from "./edge.ts";
import { DemoPlatform, SETTINGS } from "./start/demo-platform.ts";
import { DeploymentError } from "./start/deployer/deployer.ts";
import { reportedFailure } from "./start/failure.ts";
import { type Options, parseOptions, USAGE } from "./start/options.ts";
import { ProgressView } from "./start/progress.ts";
import { declaredImage } from "./start/project.ts";
import { removeEdgeFile } from "./state/edge-file.ts";

const GATEWAY_IMAGE = {
  name: "localhost/tenantry-gateway",
  directory: join(import.meta.dirname, "../workers/tenant/container"),
};

async function main(options: Options, stop: AbortController): Promise<void> {
  const ended = stop.signal;
  const view = new ProgressView();
  if (options.fresh) await view.step("Removing existing data", () => removeState(options.state));
  const image = declaredImage(SETTINGS);
  const containers =
    options.containers === "docker"
      ? await view.step("Preparing the container engine", () => prepareEngine(options.image, image, GATEWAY_IMAGE))
      : undefined;
  let platform: DemoPlatform | undefined;
  const edge = await view.step("Starting the local edge", () =>
    startEdge({
      directory: options.state,
      port: options.port,
      ...(options.gatewayCommand === undefined ? {} : { gatewayCommand: options.gatewayCommand }),
      ...(containers && { containers }),
      ...(image !== undefined && { pushed: [image] }),
      providerAccounts: providerAccounts(process.env),
      ...(options.weather === undefined ? {} : { weather: { seed: options.weather } }),
      restartService: async (restart) => (await platform?.restartService(restart)) ?? false,
      onLost: (error) => {
        process.stderr.write(`\n  ${error.message}\n`);
        process.exitCode = 1;
        stop.abort();
      },
    }),
  );
  process.stdout.write(`    ${edge.containers.description}\n`);
  try {
    if (ended.aborted) return;
    // A start must not fail because of the faults that it is there to show.
    edge.weather?.pause();
    platform = new DemoPlatform(edge, options, view, await freePort(), ended);
    await platform.open();
    edge.weather?.resume();
    if (options.weather !== undefined) view.note(weatherNote(options));
    if (!ended.aborted) await new Promise((resolve) => ended.addEventListener("abort", resolve, { once: true }));
  } finally {
    removeEdgeFile(options.state);
    process.stdout.write("\n  Stopping…\n");
    if (edge.weather !== undefined) view.note(injectedNote(edge.weather.injected()));
    await platform?.close();
    await edge.stop();
  }
}

const weatherNote = ({ weather, state }: Options) =>
  `Faults of production are injected with the seed ${weather}. ${join(state, "edge.log")} lists them in the area "weather".`;

function injectedNote(injected: Readonly<Record<string, number>>): string {
  const counts = Object.entries(injected).map(([fault, count]) => `${count} ${fault}`);
  return `Injected faults: ${counts.join(", ") || "none"}`;
}

/** Refuses a directory that is not the state of a local edge. */
async function removeState(directory: string): Promise<void> {
  if (!existsSync(directory)) return;
  if (!existsSync(join(directory, "secrets.json"))) {
    throw new CatalogueError(localStartErrors.state_directory_foreign, { directory });
  }
  lockState(directory)();
  try {
    await removeContainers(join(directory, "containers"));
  } catch (error) {
    // The data is removed anyway; containers without it do no harm.
    process.stderr.write(`\n  Failed to remove containers: ${error instanceof Error ? error.message : error}\n`);
  }
  await removeDatabase(join(directory, "postgres"));
  rmSync(directory, { recursive: true, force: true });
}

const ended = new AbortController();
for (const signal of ["SIGINT", "SIGHUP", "SIGTERM"] as const) process.on(signal, () => ended.abort());

let directory = ".";
try {
  const options = parseOptions(process.argv.slice(2));
  if (options === undefined) {
    process.stdout.write(`${USAGE}\n`);
  } else {
    directory = options.state;
    await main(options, ended);
  }
} catch (error) {
  const cancelled = error instanceof DeploymentError && error.cancelled;
  const message = reportedFailure(error, directory);
  process.stderr.write(
    `\n${cancelled ? "Stopped before the deployment was complete. npm start continues it." : message}\n`,
  );
  process.exitCode = cancelled ? 130 : 1;
}
