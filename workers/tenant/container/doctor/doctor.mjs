/**
 * Runs the doctor of the image's gateway: `node doctor.mjs` checks, `node doctor.mjs --fix` repairs while no gateway runs. Prints
 * `{"findings":[…]}` on one line (`doctorOutput` of workers/contracts/tenant/doctor.ts); after a repair without findings.
 *
 * Environment: GATEWAY_DOCTOR_COMMAND, a JSON array of a command that gets the same parameters. It prints `{ "findings": [{ "checkId", "severity",
 * "message", "path", "fixHint" }] }`, or ends with 0 after a repair. Default: OpenClaw's, unless GATEWAY_COMMAND runs another gateway. GATEWAY_DOCTOR_TIMEOUT_MS: its time limit; 120000, and 150000 for a repair.
 *
 * Exit codes: 0 success; 64 invalid usage or setting; 69 the gateway has no doctor; 70 the doctor failed, or its output is invalid; 75 it took
 * too long.
 */
import { spawn } from "node:child_process";
import { parseJson, readCommand } from "../command.mjs";
import { openclawScript } from "../gateway-version.mjs";
import { exitCodeOf, ScriptError } from "../script-error.mjs";

const LIMIT_MS = { check: 120_000, repair: 150_000 };
const MAX_OUTPUT_BYTES = 1_000_000;
const MAX_FINDINGS = 50;
const MAX_TEXT = 600;
const MAX_NAME = 200;
const SEVERITIES = new Set(["error", "warning", "info"]);

/** Runs a command, and ends it with its child processes. @returns its exit code and output @throws ScriptError when it exceeds a limit */
function execute([program, ...parameters], limitMs) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, parameters, { detached: true, stdio: ["ignore", "pipe", "pipe"] });
    const chunks = [];
    let bytes = 0;
    let tail = "";
    const end = (error) => {
      clearTimeout(timer);
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {
        // It has ended with all of its processes.
      }
      if (error !== undefined) reject(error);
    };
    const timer = setTimeout(() => end(new ScriptError(75, "the gateway's doctor took too long")), limitMs);
    child.stdout.on("data", (chunk) => {
      bytes += chunk.length;
      if (bytes > MAX_OUTPUT_BYTES) end(new ScriptError(70, "the output of the gateway's doctor is too long"));
      else chunks.push(chunk);
    });
    child.stderr.on("data", (chunk) => {
      tail = (tail + chunk).slice(-MAX_TEXT);
    });
    child.on("error", (error) => end(new ScriptError(70, error.message)));
    child.on("close", (code) => {
      end();
      resolve({ code, stdout: Buffer.concat(chunks).toString("utf8"), stderr: tail });
    });
  });
}

const text = (value, most) =>
  typeof value === "string" && value.trim() !== "" ? value.trim().slice(0, most) : undefined;

/** Returns a finding; none without a check and a message. */
function findingOf(value) {
  const [check, message] = [text(value?.checkId, MAX_NAME), text(value?.message, MAX_TEXT)];
  if (check === undefined || message === undefined) return [];
  const severity = SEVERITIES.has(value.severity) ? value.severity : "warning";
  return [{ check, severity, message, path: text(value.path, MAX_NAME), hint: text(value.fixHint, MAX_TEXT) }];
}

const lastLine = (output) => output.trimEnd().split("\n").at(-1)?.slice(0, MAX_TEXT) ?? "";

async function run(parameters, env) {
  const isRepair = parameters[0] === "--fix";
  if (parameters.length > (isRepair ? 1 : 0)) throw new ScriptError(64, "usage: doctor.mjs [--fix]");
  const command = readCommand(env, "GATEWAY_DOCTOR_COMMAND") ?? openclawScript(env, "doctor.mjs");
  if (command === undefined) throw new ScriptError(69, "the image's gateway has no doctor");
  const limitMs = Number(env.GATEWAY_DOCTOR_TIMEOUT_MS ?? LIMIT_MS[isRepair ? "repair" : "check"]);
  if (!(limitMs > 0)) throw new ScriptError(64, "GATEWAY_DOCTOR_TIMEOUT_MS must be a positive number");
  const { code, stdout, stderr } = await execute([...command, ...parameters], limitMs);
  if (isRepair) {
    if (code === 0) return { findings: [] };
    throw new ScriptError(70, lastLine(stderr) || lastLine(stdout) || `the gateway's doctor ended with code ${code}`);
  }
  const findings = parseJson(stdout)?.findings;
  if (!Array.isArray(findings))
    throw new ScriptError(70, lastLine(stderr) || "the gateway's doctor did not print its findings");
  return { findings: findings.flatMap(findingOf).slice(0, MAX_FINDINGS) };
}

try {
  const result = await run(process.argv.slice(2), process.env);
  process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0));
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${message}\n`, () => process.exit(exitCodeOf(error)));
}
