/**
 * The reference gateway in an image for tests: `node image-gateway.mjs IMAGE`. IMAGE is JSON, or a file with JSON that may change.
 *
 *   version   the gateway's version
 *   start     `works`, the default, or `fails` before it uses the state
 *   upgrade   of an older state: `works`, the default, `fails` halfway, or `hangs`
 *
 * With `--version` it prints its name and version.
 */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compareVersions, stateGateway } from "../container/gateway-version.mjs";

const { STATE_DIR: state, RUN_DIR: run } = process.env;
const [, , argument] = process.argv;
const image = JSON.parse(argument.startsWith("{") ? argument : readFileSync(argument, "utf8"));
const { version, start = "works", upgrade = "works" } = image;
process.env.REFERENCE_GATEWAY_VERSION = version;

function fail(message) {
  writeFileSync(join(run, "gateway-failure.json"), JSON.stringify({ message }));
  process.exit(78);
}

const printsVersion = process.argv.includes("--version");
if (!printsVersion && start === "fails") fail("the test image does not start");
const before = printsVersion ? undefined : stateGateway(state);
if (before !== undefined && compareVersions(before.version, version) < 0) {
  appendFileSync(join(state, "upgrades"), `${before.version} to ${version}\n`);
  if (upgrade === "hangs") await new Promise(() => setInterval(() => {}, 60_000));
  if (upgrade === "fails") fail("its doctor gave up");
}
await import("../container/reference/gateway.mjs");
