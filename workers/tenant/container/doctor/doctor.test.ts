/** The doctor of an image's gateway, also one whose output is not trustworthy. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { doctorOutput } from "#workers/contracts/tenant/doctor.ts";
import { runScript } from "../../testing/container-script.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "doctor-test-"));
  mkdirSync(join(root, "state"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Runs a doctor that is a program. */
const run = (program: string, parameters: string[] = [], env: Record<string, string> = {}) =>
  runScript(root, "doctor/doctor.mjs", parameters, {
    env: { GATEWAY_DOCTOR_COMMAND: JSON.stringify([process.execPath, "-e", program, "--"]), ...env },
  });
const printing = (value: unknown) => `process.stdout.write(${JSON.stringify(JSON.stringify(value))})`;

test("prints the findings with known fields, shortened, and at most 50", async () => {
  const odd = [null, 3, {}, { checkId: "core/b" }, { checkId: "core/c", message: "m", severity: "<b>", path: 7 }];
  const { code, stdout } = await run(`
const known = { checkId: "core/a", severity: "error", message: "x".repeat(5000), path: "a.b", fixHint: "do", more: 1 };
console.log(JSON.stringify({ findings: [...${JSON.stringify(odd)}, ...Array(80).fill(known)] }));`);
  expect(code).toBe(0);
  const { findings } = doctorOutput.parse(JSON.parse(stdout));
  expect(findings).toHaveLength(50);
  expect(findings[0]).toEqual({ check: "core/c", severity: "warning", message: "m" });
  const known = { check: "core/a", severity: "error", message: "x".repeat(600), path: "a.b", hint: "do" };
  expect(findings[1]).toEqual(known);
});

test("accepts the findings of a doctor that ends with 1, as OpenClaw's does", async () => {
  const found = await run(`${printing({ findings: [] })}; process.exitCode = 1`);
  expect([found.code, found.stdout]).toEqual([0, '{"findings":[]}\n']);
});

test.each([
  ["prints no JSON", 'console.error("first\\nthe reason")', 70, "the reason"],
  [
    "prints too much",
    'for (;;) require("fs").writeSync(1, "x".repeat(65536))',
    70,
    "the output of the gateway's doctor is too long",
  ],
  ["prints something else", printing({ findings: "none" }), 70, "the gateway's doctor did not print its findings"],
  [
    "does not end, with child processes",
    'require("child_process").spawn("sleep", ["600"], { stdio: "inherit" }); setInterval(() => {}, 9)',
    75,
    "the gateway's doctor took too long",
  ],
] as const)("fails when the doctor %s", async (_, program, code, reason) => {
  const env = code === 75 ? { GATEWAY_DOCTOR_TIMEOUT_MS: "500" } : undefined;
  const failed = await run(program, [], env);
  expect([failed.code, failed.stdout, failed.stderr.trim()]).toEqual([code, "", reason]);
});

test("a gateway without a doctor", async () => {
  const env = { GATEWAY_COMMAND: '["my-gateway"]' };
  expect((await runScript(root, "doctor/doctor.mjs", [], { env })).code).toBe(69);
});

test("a repair fails as the doctor does", async () => {
  const repaired = await run('process.exit(process.argv.at(-1) === "--fix" ? 0 : 9)', ["--fix"]);
  expect([repaired.code, repaired.stdout]).toEqual([0, '{"findings":[]}\n']);
  const failed = await run('console.error("the gateway runs"); process.exit(1)', ["--fix"]);
  expect([failed.code, failed.stderr.trim()]).toEqual([70, "the gateway runs"]);
});

test("OpenClaw's doctor reads without a change, and findings about the platform's own settings are left out", async () => {
  const program = join(root, "openclaw.mjs");
  writeFileSync(
    program,
    `import { appendFileSync } from "node:fs";
const parameters = process.argv.slice(2);
appendFileSync(process.env.OPENCLAW_STATE_DIR + "/calls", parameters.join(" ") + "\\n");
const known = ["doctor --lint --json --skip core/doctor/node-hosting-preconditions", "doctor --fix --non-interactive --yes"];
if (!known.includes(parameters.join(" "))) process.exit(2);
const hint = (paths) => "Migrate them.\\nPaths: " + paths + "\\nAgents can read files.";
const secret = (paths) => ({ checkId: "core/doctor/security", severity: "warning", message: paths, requirement: "config.plaintext_secrets", fixHint: hint(paths) });
if (parameters[1] === "--lint") {
  const own = "models.providers.ai-gateway.apiKey";
  console.log(JSON.stringify({ schemaVersion: 1, ok: false, findings: [secret(own), secret(own + ", tools.x.apiKey")] }));
  process.exit(1);
}`,
  );
  const openclaw = ["node", join(import.meta.dirname, "../openclaw/run.mjs"), program];
  const env = { GATEWAY_COMMAND: JSON.stringify(openclaw), STATE_DIR: join(root, "state") };
  const checked = await runScript(root, "doctor/doctor.mjs", [], { env });
  expect(checked.stderr).toBe("");
  expect(doctorOutput.parse(JSON.parse(checked.stdout)).findings.map(({ message }) => message)).toEqual([
    "models.providers.ai-gateway.apiKey, tools.x.apiKey",
  ]);
  expect((await runScript(root, "doctor/doctor.mjs", ["--fix"], { env })).code).toBe(0);
  expect(readFileSync(join(root, "state/calls"), "utf8").trim().split("\n")).toHaveLength(2);
});
