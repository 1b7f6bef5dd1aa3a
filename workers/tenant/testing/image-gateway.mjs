/**
 * The reference gateway in an image that a test changes: `node image-gateway.mjs FILE`, whose JSON tells the image.
 *
 *   version   which version it has
 *   upgrade   what becomes of a state of an older one: `works`, the default, `fails` half-way, or `hangs` there
 *
 * With `--version` it prints its name and version.
 */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compareVersions, stateGateway } from "../container/gateway-version.mjs";

const { STATE_DIR: state, RUN_DIR: run } = process.env;
const { version, upgrade = "works" } = JSON.parse(readFileSync(process.argv[2], "utf8"));
process.env.REFERENCE_GATEWAY_VERSION = version;

const before = process.argv.includes("--version") ? undefined : stateGateway(state);
if (before !== undefined && compareVersions(before.version, version) < 0) {
  appendFileSync(join(state, "upgrades"), `${before.version} to ${version}\n`);
  if (upgrade === "hangs") await new Promise(() => setInterval(() => {}, 60_000));
  if (upgrade === "fails") {
    writeFileSync(join(run, "gateway-failure.json"), JSON.stringify({ message: "its doctor gave up" }));
    process.exit(78);
  }
}
await import("../container/reference-gateway.mjs");
