/**
 * The doctor of the reference gateway, for `doctor/doctor.mjs`: finds notes that cannot be read, and removes them with `--fix`. Like OpenClaw's, it
 * repairs nothing while the gateway runs.
 *
 * Environment: STATE_DIR, GATEWAY_PORT (18789).
 */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";

const [parameter, ...more] = process.argv.slice(2);
if (more.length > 0 || (parameter !== undefined && parameter !== "--fix")) {
  process.stderr.write("usage: doctor.mjs [--fix]\n");
  process.exit(64);
}
const { STATE_DIR: state = "/workspace/state", GATEWAY_PORT: port = "18789" } = process.env;
const notes = join(state, "notes");

function isBroken(name) {
  try {
    return typeof JSON.parse(readFileSync(join(notes, name), "utf8"))?.text !== "string";
  } catch {
    return true;
  }
}

function brokenNotes() {
  try {
    return readdirSync(notes).filter((name) => name.endsWith(".json") && isBroken(name));
  } catch {
    return [];
  }
}

const isRunning = () =>
  new Promise((resolve) => {
    const socket = connect(Number(port), "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
  });

if (parameter === "--fix") {
  if (await isRunning()) {
    process.stderr.write("the gateway runs: stop it, then repair its state\n");
    process.exit(1);
  }
  for (const name of brokenNotes()) rmSync(join(notes, name));
  process.exit(0);
}
const findings = brokenNotes().map((name) => ({
  checkId: "reference/notes",
  severity: "error",
  message: `The note ${name} cannot be read.`,
  path: join(notes, name),
  fixHint: "Run the doctor with --fix, which removes it.",
}));
process.stdout.write(JSON.stringify({ schemaVersion: 1, ok: findings.length === 0, findings }), () =>
  process.exit(findings.length === 0 ? 0 : 1),
);
