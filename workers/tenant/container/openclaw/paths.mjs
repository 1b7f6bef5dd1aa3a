/** Paths of OpenClaw and its directories, and its environment. */
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { CONFIG_FILE } from "./config-file.mjs";

/** Returns the path of OpenClaw's program. @param given Default: the `openclaw` in the `PATH` */
export function openclawProgram(given, env) {
  if (given !== undefined) return realpathSync(given);
  for (const directory of (env.PATH ?? "").split(delimiter)) {
    const path = join(directory, "openclaw");
    if (existsSync(path)) return realpathSync(path);
  }
  throw new Error("this image has no openclaw in its PATH");
}

/** Returns the version of a program's package. */
export function versionOf(program) {
  for (let directory = dirname(program); directory !== dirname(directory); directory = dirname(directory)) {
    const path = join(directory, "package.json");
    if (existsSync(path)) return JSON.parse(readFileSync(path, "utf8")).version;
  }
  throw new Error(`${program} belongs to no package`);
}

/** Returns the tenant's directories, as in `start-gateway.mjs`. */
export function directories(env) {
  return {
    state: env.STATE_DIR ?? "/workspace/state",
    logs: env.LOG_DIR ?? "/workspace/logs",
    run: env.RUN_DIR ?? "/workspace/run",
  };
}

/** Returns OpenClaw's environment, without secrets between the Worker and the container. */
export function openclawEnvironment(env, { state, run }) {
  const { GATEWAY_TOKEN: _, OPENCLAW_GATEWAY_TOKEN: __, CHANNELS: ___, ...rest } = env;
  return {
    ...rest,
    OPENCLAW_STATE_DIR: state,
    OPENCLAW_CONFIG_PATH: join(state, CONFIG_FILE),
    // A respawned process would run without the guard, and without the marker by which the platform finds it.
    OPENCLAW_NO_RESPAWN: "1",
    OPENCLAW_PACKAGED_COMPILE_CACHE_RESPAWNED: "1",
    // The image includes the programs that it would download.
    OPENCLAW_OFFLINE: "1",
    NODE_COMPILE_CACHE: join(run, "compile-cache"),
  };
}
