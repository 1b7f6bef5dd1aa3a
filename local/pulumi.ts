/**
 * `npm run pulumi -- [--state DIR] [--cwd DIR] COMMAND…`: runs the engine's CLI against a running local edge, in the project of
 * `npm start` or in a directory of the checkout such as `tenants`.
 */
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { join } from "node:path";
import { startProvidersFor } from "./providers/providers.ts";
import { engineArguments } from "./start/engine-arguments.ts";
import { declaredEnvironment, engineEnvironment, prepareProject } from "./start/project.ts";
import { readEdgeFile, targetOf } from "./state/edge-file.ts";
import { pruneHistory } from "./state/engine-history.ts";

const ROOT = join(import.meta.dirname, "..");
const { state, hasDirectory, engine } = engineArguments(process.argv.slice(2));

try {
  const edge = readEdgeFile(state);
  const target = targetOf(edge);
  const settings = join(ROOT, "Pulumi.local.yaml");
  pruneHistory(join(state, "pulumi"));
  // A terminal's Ctrl-C also reaches the engine, which then stops gracefully.
  process.on("SIGINT", () => {});
  const providers = await startProvidersFor(target);
  const child = spawn("pulumi", engine, {
    // With --cwd, the engine changes the directory itself.
    cwd: hasDirectory ? ROOT : prepareProject(state, "local", settings, false, edge.containerImage),
    stdio: "inherit",
    env: { ...process.env, ...engineEnvironment(state, target, declaredEnvironment(settings), providers.port) },
  });
  child.on("error", () => {
    process.stderr.write("The Pulumi engine is not on the PATH. Use npm run pulumi.\n");
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
