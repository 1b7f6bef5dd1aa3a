/**
 * The startup script of a sandbox: launches the gateway, waits until it has started, and exits. While this process runs, the tenant is
 * starting. When it exits with 0, the gateway responds to `/health` and, if it supports that path, `/startupz`.
 *
 * A gateway that cannot start may give the reason, in one sentence, as `{ "message": … }` in `RUN_DIR/gateway-failure.json`.
 *
 * Environment, all optional except the token:
 *   GATEWAY_TOKEN            the gateway's token
 *   GATEWAY_PORT             the gateway's port; 18789
 *   GATEWAY_BIND             replaces `{bind}` in the command; `lan`, since the port is called from outside the container
 *   GATEWAY_COMMAND          JSON array of the command and its arguments, with `{port}` and `{bind}`; OpenClaw's
 *   GATEWAY_START_TIMEOUT_MS time limit for the start; 180000
 *   STATE_DIR                the gateway's state; /workspace/state
 *   LOG_DIR                  parent of `gateway.log`; /workspace/logs
 *   RUN_DIR                  parent of `start-failure.json` and of `tmp`, the gateway's TMPDIR; /workspace/run
 *   STATE_ID                 id for a state without one, which may then be backed up
 *   STATE_BACKUP             id of a backup of the present state, required to start a newer gateway than the one that wrote the state
 *   GATEWAY_VERSION_COMMAND  JSON array of a command that prints the gateway's version: see `gateway-version.mjs`
 *
 * Exit codes: 0 the gateway responds; 1 it ended before it responded; 2 it did not respond in time and was ended; 64 invalid setting;
 * 69 the image does not report its gateway's version; 75 another start is in progress; 78 the gateway must not use this state.
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
import { authorityVariables } from "./authorities.mjs";
import { readCommand } from "./command.mjs";
import { ageOf, imageGateway, OPENCLAW, stateGateway } from "./gateway-version.mjs";
import { takeLock } from "./sandbox-lock.mjs";
import { exitCodeOf, ScriptError } from "./script-error.mjs";
import { isMarked, markState } from "./state-marker.mjs";

/**
 * Runs a command as the gateway, which can gain no privileges where the system has the program for it. `exec` keeps the shell's process id, so the
 * marker distinguishes the gateway from its children.
 */
const AS_GATEWAY = `
export TENANTRY_PROCESS="gateway:$$"
if command -v setpriv >/dev/null; then exec setpriv --no-new-privs "$0" "$@"; fi
exec "$0" "$@"`;
const LOG_LIMIT_BYTES = 10_000_000;
const POLL_MS = 100;
const GATEWAY_FAILURE = "gateway-failure.json";

function readSettings(env) {
  const port = Number(env.GATEWAY_PORT ?? 18789);
  if (!Number.isInteger(port) || port < 1 || port > 65535) throw new ScriptError(64, "GATEWAY_PORT must be a port");
  const timeoutMs = Number(env.GATEWAY_START_TIMEOUT_MS ?? 180_000);
  if (!(timeoutMs > 0)) throw new ScriptError(64, "GATEWAY_START_TIMEOUT_MS must be a positive number");
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

/** Returns the environment of a process; empty when it has ended or belongs to another user. */
function environmentOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
  } catch {
    return [];
  }
}

const isGateway = (environment, pid) => environment.includes(`TENANTRY_PROCESS=gateway:${pid}`);

/** Returns the process id of a running gateway of this sandbox. */
function runningGateway() {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const environment = environmentOf(pid);
    const [, sandbox] = environment.find((entry) => entry.startsWith("TENANTRY_SANDBOX="))?.split("=") ?? [];
    if (isGateway(environment, pid) && sandbox === process.env.TENANTRY_SANDBOX) return Number(pid);
  }
  return undefined;
}

/** Sends a request to the gateway. `node:http` loads in a third of the time of `fetch`. */
function request(port, path) {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, path, signal: AbortSignal.timeout(2_000) };
    get(options, resolve).once("error", reject);
  });
}

/** Whether the gateway responds and, if it supports `/startupz`, has started. */
async function isStarted(port) {
  try {
    const health = await request(port, "/health");
    const body = JSON.parse(await text(health));
    if (health.statusCode !== 200 || body?.ok !== true) return false;
    const startup = await request(port, "/startupz");
    startup.destroy();
    return startup.statusCode !== 503;
  } catch {
    return false;
  }
}

/** Returns the reason that the gateway gave for a failed start. */
function gatewayFailure(runDirectory) {
  try {
    const { message } = JSON.parse(readFileSync(join(runDirectory, GATEWAY_FAILURE), "utf8"));
    return typeof message === "string" && message !== "" ? message : undefined;
  } catch {
    return undefined;
  }
}

const sizeOf = (path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

function openLog(path) {
  if (sizeOf(path) > LOG_LIMIT_BYTES) renameSync(path, `${path}.1`);
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

async function launch(settings, logPath) {
  // Emptied first: files of crashed gateways would fill the disk.
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
    ...(await authorityVariables(process.env, settings.runDirectory)),
  };
  const output = openLog(logPath);
  const gateway = spawn("sh", ["-c", AS_GATEWAY, ...settings.command], {
    detached: true,
    env,
    stdio: ["ignore", output, output],
  });
  closeSync(output);
  gateway.unref();
  return gateway;
}

/** Returns the last lines of a file after `offset`. */
function tail(path, offset, count) {
  try {
    const text = readFileSync(path).subarray(offset).toString("utf8").trimEnd();
    return text.split("\n").slice(-count).join("\n");
  } catch {
    return "";
  }
}

async function start(settings) {
  const logPath = join(settings.logDirectory, "gateway.log");
  const deadline = Date.now() + settings.timeoutMs;
  const running = runningGateway();
  if (running === undefined) await checkState(settings, process.env);
  const size = sizeOf(logPath);
  const offset = size > LOG_LIMIT_BYTES ? 0 : size;
  const gateway = running === undefined ? await launch(settings, logPath) : undefined;
  let ending;
  gateway?.once("exit", (code, signal) => {
    ending = signal === null ? `with code ${code}` : `by ${signal}`;
  });
  const pid = running ?? gateway.pid;
  while (!(await isStarted(settings.port))) {
    if (running !== undefined && !isGateway(environmentOf(running), running)) ending = "while it was starting";
    if (ending !== undefined) {
      process.stderr.write(`${tail(logPath, offset, 20)}\n`);
      const reason = gatewayFailure(settings.runDirectory);
      throw new ScriptError(1, `the gateway ended ${ending} before it responded${reason ? `: ${reason}` : ""}`);
    }
    if (Date.now() > deadline) {
      process.stderr.write(`${tail(logPath, offset, 20)}\n`);
      try {
        process.kill(-pid, "SIGKILL");
      } catch {
        // It has already ended.
      }
      throw new ScriptError(2, `the gateway did not respond within ${settings.timeoutMs} ms and was ended`);
    }
    await delay(POLL_MS);
  }
  // Another program may use the port, so that the response was not the gateway's.
  if (ending !== undefined)
    throw new ScriptError(1, `the gateway ended ${ending} and another program responds on its port`);
}

let settings;
try {
  settings = readSettings(process.env);
  for (const directory of [settings.stateDirectory, settings.logDirectory, settings.runDirectory])
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (!(await takeLock("start", settings.runDirectory))) throw new ScriptError(75, "another start is in progress");
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
