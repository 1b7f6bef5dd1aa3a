/**
 * The startup script of a sandbox: launches the gateway, waits until it has started, and exits. While this process lives the
 * tenant is starting; when it has exited with 0 the gateway answers `/health` and, where it knows that path, `/startupz`.
 *
 * A gateway that cannot start may say why, in one sentence, as `{ "message": … }` in `RUN_DIR/gateway-failure.json`.
 *
 * Environment, all optional but the token:
 *   GATEWAY_TOKEN            the token the gateway demands
 *   GATEWAY_PORT             port the gateway listens on; 18789
 *   GATEWAY_BIND             what `{bind}` stands for in the command; `lan`, as a container's port is reached from outside
 *   GATEWAY_COMMAND          JSON array of the command and its arguments, where `{port}` and `{bind}` are replaced; OpenClaw's
 *   GATEWAY_START_TIMEOUT_MS how long the gateway may take to answer; 180000
 *   STATE_DIR                what the gateway keeps; /workspace/state
 *   LOG_DIR                  `gateway.log`; /workspace/logs
 *   RUN_DIR                  `start-failure.json`, and `tmp`, the gateway's TMPDIR; /workspace/run
 *   STATE_ID                 marks the state, unless it is marked already, as one that may be backed up
 *   STATE_BACKUP             id of a whole backup of the state as it is: without one no newer gateway is let at an older one's state
 *   GATEWAY_VERSION_COMMAND  JSON array of a command that prints which gateway the image has: see `gateway-version.mjs`
 *
 * Exit codes: 0 the gateway answers; 1 it ended before it answered; 2 it did not answer in time and was ended;
 * 64 a setting is wrong; 69 the image cannot tell its gateway's version; 75 another start is under way; 78 the image's gateway may
 * not have this state.
 */
import { spawn } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { readCommand } from "./command.mjs";
import { ageOf, imageGateway, OPENCLAW, stateGateway } from "./gateway-version.mjs";
import { takeLock } from "./sandbox-lock.mjs";
import { exitCodeOf, ScriptError } from "./script-error.mjs";
import { isMarked, markState } from "./state-marker.mjs";

const LOG_LIMIT_BYTES = 10_000_000;
const POLL_MS = 100;
const GATEWAY_FAILURE = "gateway-failure.json";

function readSettings(env) {
  const port = Number(env.GATEWAY_PORT ?? 18789);
  if (!Number.isInteger(port) || port < 1 || port > 65535) throw new ScriptError(64, "GATEWAY_PORT is not a port");
  const timeoutMs = Number(env.GATEWAY_START_TIMEOUT_MS ?? 180_000);
  if (!(timeoutMs > 0)) throw new ScriptError(64, "GATEWAY_START_TIMEOUT_MS is not a positive number of milliseconds");
  if (!env.GATEWAY_TOKEN) throw new ScriptError(64, "GATEWAY_TOKEN is not set");
  const command = readCommand(env, "GATEWAY_COMMAND") ?? OPENCLAW;
  return {
    port,
    timeoutMs,
    command: command.map((part) => part.replaceAll("{port}", port).replaceAll("{bind}", env.GATEWAY_BIND ?? "lan")),
    stateDirectory: env.STATE_DIR ?? "/workspace/state",
    logDirectory: env.LOG_DIR ?? "/workspace/logs",
    runDirectory: env.RUN_DIR ?? "/workspace/run",
  };
}

/** The process id of a gateway of this sandbox that is running already. */
function runningGateway() {
  for (const pid of readdirSync("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
      const sandbox = environment
        .find((entry) => entry.startsWith("TENANTRY_SANDBOX="))
        ?.slice("TENANTRY_SANDBOX=".length);
      if (environment.includes(`TENANTRY_PROCESS=gateway:${pid}`) && sandbox === process.env.TENANTRY_SANDBOX)
        return Number(pid);
    } catch {
      // The process ended, or is another user's.
    }
  }
  return undefined;
}

function isAlive(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1").includes(`TENANTRY_PROCESS=gateway:${pid}`);
  } catch {
    return false;
  }
}

/** Begins to read an answer of the gateway. By `node:http`, which is loaded in a third of the time that `fetch` takes. */
function ask(port, path) {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, path, signal: AbortSignal.timeout(2_000) };
    get(options, resolve).once("error", reject);
  });
}

/** Whether the gateway answers and, where it tells that apart, has started. */
async function answers(port) {
  try {
    const health = await ask(port, "/health");
    const body = JSON.parse(await text(health));
    if (health.statusCode !== 200 || body?.ok !== true) return false;
    const startup = await ask(port, "/startupz");
    startup.destroy();
    return startup.statusCode !== 503;
  } catch {
    return false;
  }
}

/** Why the gateway could not start, in its own words. */
function gatewayFailure(runDirectory) {
  try {
    const { message } = JSON.parse(readFileSync(join(runDirectory, GATEWAY_FAILURE), "utf8"));
    return typeof message === "string" && message !== "" ? message : undefined;
  } catch {
    return undefined;
  }
}

function openLog(path) {
  try {
    if (statSync(path).size > LOG_LIMIT_BYTES) renameSync(path, `${path}.1`);
  } catch {
    // There is no log yet.
  }
  return openSync(path, "a", 0o600);
}

/** @throws ScriptError 78 when the state is newer than the image's gateway, or older and without a backup */
async function checkState({ stateDirectory }, env) {
  const state = stateGateway(stateDirectory);
  if (state === undefined) return;
  const image = await imageGateway(env);
  const age = ageOf(state, image);
  if (age === "newer")
    throw new ScriptError(
      78,
      `the state is of ${state.name} ${state.version}, newer than this image's ${image.version}`,
    );
  if (age === "older" && !env.STATE_BACKUP)
    throw new ScriptError(
      78,
      `the state is of ${state.name} ${state.version}, older than this image's ${image.version}, and was not backed up before its upgrade`,
    );
}

function launch(settings, logPath) {
  // Its own, where nobody else looks, and empty: what one that crashed left would fill the disk.
  const temporary = join(settings.runDirectory, "tmp");
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary, { recursive: true, mode: 0o700 });
  const env = {
    ...process.env,
    GATEWAY_PORT: String(settings.port),
    STATE_DIR: settings.stateDirectory,
    LOG_DIR: settings.logDirectory,
    RUN_DIR: settings.runDirectory,
    TMPDIR: temporary,
  };
  const output = openLog(logPath);
  // The shell's own pid stays the gateway's after `exec`, so the marker tells the gateway from its children.
  const gateway = spawn("sh", ["-c", 'export TENANTRY_PROCESS="gateway:$$"; exec "$0" "$@"', ...settings.command], {
    detached: true,
    env,
    stdio: ["ignore", output, output],
  });
  closeSync(output);
  gateway.unref();
  return gateway;
}

/** The last lines of a file from `offset` on. */
function tail(path, offset, count) {
  try {
    const text = readFileSync(path).subarray(offset).toString("utf8").trimEnd();
    return text.split("\n").slice(-count).join("\n");
  } catch {
    return "";
  }
}

function sizeOf(path) {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}

async function start(settings) {
  const logPath = join(settings.logDirectory, "gateway.log");
  const deadline = Date.now() + settings.timeoutMs;
  const running = runningGateway();
  if (running === undefined) await checkState(settings, process.env);
  const size = sizeOf(logPath);
  const offset = size > LOG_LIMIT_BYTES ? 0 : size;
  const gateway = running === undefined ? launch(settings, logPath) : undefined;
  let ending;
  gateway?.once("exit", (code, signal) => {
    ending = signal === null ? `with code ${code}` : `by ${signal}`;
  });
  const pid = running ?? gateway.pid;
  while (!(await answers(settings.port))) {
    if (running !== undefined && !isAlive(running)) ending = "while it was starting";
    if (ending !== undefined) {
      process.stderr.write(`${tail(logPath, offset, 20)}\n`);
      const why = gatewayFailure(settings.runDirectory);
      throw new ScriptError(1, `the gateway ended ${ending} before it answered${why === undefined ? "" : `: ${why}`}`);
    }
    if (Date.now() > deadline) {
      process.stderr.write(`${tail(logPath, offset, 20)}\n`);
      try {
        process.kill(-pid, "SIGKILL");
      } catch {
        // It ended just now.
      }
      throw new ScriptError(2, `the gateway did not answer within ${settings.timeoutMs} ms and was ended`);
    }
    await delay(POLL_MS);
  }
  // Another program may hold the port: then the answer was not our gateway's.
  if (ending !== undefined)
    throw new ScriptError(1, `the gateway ended ${ending} and another program answers on its port`);
}

let settings;
try {
  settings = readSettings(process.env);
  for (const directory of [settings.stateDirectory, settings.logDirectory, settings.runDirectory])
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (!(await takeLock("start", settings.runDirectory))) throw new ScriptError(75, "another start is under way");
  if (process.env.STATE_ID && !isMarked(settings.stateDirectory))
    markState(settings.stateDirectory, process.env.STATE_ID);
  const failurePath = join(settings.runDirectory, "start-failure.json");
  for (const path of [failurePath, join(settings.runDirectory, GATEWAY_FAILURE)]) rmSync(path, { force: true });
  try {
    await start(settings);
  } catch (error) {
    const exitCode = exitCodeOf(error);
    const failure = {
      at: new Date().toISOString(),
      exitCode,
      message: error instanceof Error ? error.message : String(error),
    };
    writeFileSync(`${failurePath}.new`, JSON.stringify(failure), { mode: 0o600 });
    renameSync(`${failurePath}.new`, failurePath);
    throw error;
  }
  process.exit(0);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(exitCodeOf(error));
}
