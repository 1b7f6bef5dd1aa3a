/**
 * Runs OpenClaw as a tenant's gateway: writes its configuration, brings a state of an older version up to date, and becomes it.
 *
 *   run.mjs [PROGRAM]    OpenClaw's program; the `openclaw` of the `PATH` by default
 *
 * Environment: as of `start-gateway.mjs`, and what `platform-config.mjs` and `identity-guard.mjs` read.
 *
 * Exit code 78 when it cannot start with this state or configuration; the reason is in `RUN_DIR/gateway-failure.json`.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { readRecord, writeRecord } from "../gateway-version.mjs";
import { CONFIG_FILE, configure, writeWhole } from "./config-file.mjs";
import { directories, openclawProgram, versionOf } from "./paths.mjs";
import { platformConfig } from "./platform-config.mjs";
import { NAME, upgrade } from "./state-version.mjs";

const EX_CONFIG = 78;
const WORK = new URL("./work.mjs", import.meta.url).href;
const GUARD = new URL("./identity-guard.mjs", import.meta.url).href;
const UNASKED = new URL("./unasked.mjs", import.meta.url).href;
/** In this order: the guard takes identities away before the one before it gives one to this process's own requests. */
const PRELOADS = ["--import", WORK, "--import", GUARD, "--import", UNASKED];

const say = (line) => process.stdout.write(`${new Date().toISOString()} tenantry: ${line}\n`);

/** OpenClaw's environment: the tenant's, without what is between the Worker and the container. */
function environment(env, { state, run }) {
  const { GATEWAY_TOKEN: _, OPENCLAW_GATEWAY_TOKEN: __, ...rest } = env;
  return {
    ...rest,
    OPENCLAW_STATE_DIR: state,
    OPENCLAW_CONFIG_PATH: join(state, CONFIG_FILE),
    // A copy of itself would run without the guard, and without the mark by which the platform finds it.
    OPENCLAW_NO_RESPAWN: "1",
    // Nor one for the sake of a folder of its own in the compile cache, which would stay beside it.
    OPENCLAW_PACKAGED_COMPILE_CACHE_RESPAWNED: "1",
    // The image brings the programs that it would download.
    OPENCLAW_OFFLINE: "1",
    NODE_COMPILE_CACHE: join(run, "compile-cache"),
  };
}

const places = directories(process.env);
const failurePath = join(places.run, "gateway-failure.json");
try {
  for (const directory of Object.values(places)) mkdirSync(directory, { recursive: true, mode: 0o700 });
  const program = openclawProgram(process.argv[2], process.env);
  const version = versionOf(program);
  const env = environment(process.env, places);
  const before = readRecord(places.state);
  const isSame = before?.version === version;
  // Before the configuration, which an older version wrote too.
  if (!isSame) upgrade({ before, version, program, env, say });
  const accepted = configure({
    state: places.state,
    program,
    platform: platformConfig(process.env, places),
    env,
    accepted: isSame ? before.accepted : undefined,
    say,
  });
  writeRecord(places.state, { name: NAME, version, accepted });
  const { GATEWAY_PORT: port = "18789", GATEWAY_BIND: bind = "lan" } = process.env;
  const command = [process.execPath, ...PRELOADS, program, "gateway", "run", "--port", port, "--bind", bind];
  process.execve(process.execPath, command, env);
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${message}\n`);
  writeWhole(failurePath, JSON.stringify({ message }));
  process.exit(EX_CONFIG);
}
