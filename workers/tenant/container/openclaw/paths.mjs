/** Where OpenClaw is and where it keeps what it has, as the container's environment says. */
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

/** OpenClaw's own program. @param given its path; the `openclaw` of the `PATH` when absent */
export function openclawProgram(given, env) {
  if (given !== undefined) return realpathSync(given);
  for (const directory of (env.PATH ?? "").split(delimiter)) {
    const path = join(directory, "openclaw");
    if (existsSync(path)) return realpathSync(path);
  }
  throw new Error("this image has no openclaw on its PATH");
}

/** The version of the package that a program belongs to. */
export function versionOf(program) {
  for (let directory = dirname(program); directory !== dirname(directory); directory = dirname(directory)) {
    const path = join(directory, "package.json");
    if (existsSync(path)) return JSON.parse(readFileSync(path, "utf8")).version;
  }
  throw new Error(`${program} belongs to no package`);
}

/** The directories of the tenant's own, as `start-gateway.mjs` has them. */
export function directories(env) {
  return {
    state: env.STATE_DIR ?? "/workspace/state",
    logs: env.LOG_DIR ?? "/workspace/logs",
    run: env.RUN_DIR ?? "/workspace/run",
  };
}
