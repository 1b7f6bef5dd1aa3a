/**
 * OpenClaw's doctor for `doctor/doctor.mjs`.
 *
 *   doctor.mjs [PROGRAM] [--fix]    OpenClaw's program. Default: the `openclaw` in the `PATH`
 *
 * Without `--fix` it changes nothing (docs/cli/doctor/lint.md), and also works while the gateway runs.
 */
import { spawnSync } from "node:child_process";
import { directories, openclawEnvironment, openclawProgram } from "./paths.mjs";
import { PROVIDER } from "./platform-config.mjs";

const MAX_OUTPUT_BYTES = 10_000_000;
/** The platform decides how programs and nodes reach the gateway. */
const NOT_OF_TENANT = ["core/doctor/node-hosting-preconditions"];
/** The placeholder of the platform's provider, which is no secret. */
const PLACEHOLDER = `models.providers.${PROVIDER}.apiKey`;

const isOfPlatform = ({ requirement, fixHint }) =>
  requirement === "config.plaintext_secrets" &&
  /^Paths: (.*)$/m
    .exec(String(fixHint))?.[1]
    .split(/, */)
    .every((path) => path === PLACEHOLDER) === true;

const isRepair = process.argv.at(-1) === "--fix";
const given = process.argv.slice(2).filter((one) => one !== "--fix");
const program = openclawProgram(given[0], process.env);
const skipped = NOT_OF_TENANT.flatMap((check) => ["--skip", check]);
const parameters = isRepair ? ["--fix", "--non-interactive", "--yes"] : ["--lint", "--json", ...skipped];
const { status, stdout, stderr, error } = spawnSync(process.execPath, [program, "doctor", ...parameters], {
  env: openclawEnvironment(process.env, directories(process.env)),
  encoding: "utf8",
  maxBuffer: MAX_OUTPUT_BYTES,
});
if (isRepair || error !== undefined) {
  process.stderr.write(`${stderr ?? ""}${stdout ?? ""}${error?.message ?? ""}`);
  process.exitCode = status ?? 1;
} else {
  try {
    const { findings } = JSON.parse(stdout);
    process.stdout.write(JSON.stringify({ findings: findings.filter((finding) => !isOfPlatform(finding)) }));
  } catch {
    process.stderr.write(stderr || stdout);
    process.exitCode = 1;
  }
}
