/** `npm run pulumi -- [--state DIR] COMMAND…`: the engine's own CLI, pointed at a running local edge. */
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { join, resolve } from "node:path";
import { readEdgeFile } from "./edge-file.ts";
import { DEFAULT_STATE } from "./options.ts";
import { declaredEnvironment, engineEnvironment, prepareProject } from "./project.ts";
import { startProvidersFor } from "./providers/providers.ts";

const argv = process.argv.slice(2);
const at = argv.indexOf("--state");
const state = resolve(at === -1 ? DEFAULT_STATE : (argv[at + 1] ?? DEFAULT_STATE));
if (at !== -1) argv.splice(at, 2);

try {
  const edge = readEdgeFile(state);
  const target = { ...edge, apiUrl: edge.api, accessIssuer: edge.access, dispatchUrls: edge.dispatch };
  const settings = join(import.meta.dirname, "../Pulumi.local.yaml");
  // A terminal's Ctrl-C reaches the engine by itself, which then ends gracefully.
  process.on("SIGINT", () => {});
  const providers = await startProvidersFor(target);
  const child = spawn("pulumi", argv, {
    cwd: prepareProject(state, "local", settings, false, edge.containerImage),
    stdio: "inherit",
    env: { ...process.env, ...engineEnvironment(state, target, declaredEnvironment(settings), providers.port) },
  });
  child.on("error", () => {
    process.stderr.write("The Pulumi engine is not on the PATH; run this through npm run pulumi.\n");
    process.exitCode = 1;
    void providers.stop();
  });
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
    void providers.stop();
  });
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
