/**
 * The reference gateway in an image of a test's: `node image-gateway.mjs FILE`, whose JSON tells the image and may change, or that JSON itself.
 *
 *   version   which version it has
 *   start     what becomes of every start: `works`, the default, or `fails` before the state is touched
 *   upgrade   what becomes of a state of an older one: `works`, the default, `fails` half-way, or `hangs` there
 *
 * With `--version` it prints its name and version.
 */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compareVersions, stateGateway } from "../container/gateway-version.mjs";

const { STATE_DIR: state, RUN_DIR: run } = process.env;
const [, , told] = process.argv;
const image = JSON.parse(told.startsWith("{") ? told : readFileSync(told, "utf8"));
const { version, start = "works", upgrade = "works" } = image;
process.env.REFERENCE_GATEWAY_VERSION = version;

function fail(message) {
  writeFileSync(join(run, "gateway-failure.json"), JSON.stringify({ message }));
  process.exit(78);
}

const isAsked = process.argv.includes("--version");
if (!isAsked && start === "fails") fail("it was built so that it does not start");
const before = isAsked ? undefined : stateGateway(state);
if (before !== undefined && compareVersions(before.version, version) < 0) {
  appendFileSync(join(state, "upgrades"), `${before.version} to ${version}\n`);
  if (upgrade === "hangs") await new Promise(() => setInterval(() => {}, 60_000));
  if (upgrade === "fails") fail("its doctor gave up");
}
await import("../container/reference/gateway.mjs");
