/** The gateway versions of a state and of an image. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { compareGatewayVersions } from "#domain/rollouts/gateway-version.ts";
import {
  archiveInfo,
  STATE_MARKER_FILE,
  type VersionAnswer,
  versionAnswer,
} from "#workers/contracts/tenant/sandbox.ts";
import { runScript } from "../testing/container-script.ts";

let root: string;
const inState = (name: string): string => join(root, "state", name);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "gateway-version-test-"));
  mkdirSync(join(root, "state"));
  writeFileSync(inState(STATE_MARKER_FILE), '{"id":"state-1"}');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const wrote = (version: string, more = {}) =>
  writeFileSync(inState(".tenantry-gateway.json"), JSON.stringify({ name: "gw", version, ...more }));
/** An image's variables. */
const image = (version: string) => ({
  GATEWAY_VERSION_COMMAND: JSON.stringify(["echo", JSON.stringify({ name: "gw", version })]),
});

async function versions(env: Record<string, string>, ...of: string[]): Promise<VersionAnswer> {
  const { code, stdout, stderr } = await runScript(root, "versions.mjs", of, { env });
  expect([code, stderr]).toEqual([0, ""]);
  return versionAnswer.parse(JSON.parse(stdout));
}

test.each([
  ["2026.9.6", "2026.9.6", "same"],
  ["2026.9.6", "2026.10.1", "older"],
  ["2026.10.1", "2026.9.10", "newer"],
  ["1.0", "1.0.0", "same"],
  ["1.2.0-beta.1", "1.2.0", "older"],
  ["1.2.0-beta.2", "1.2.0-beta.10", "older"],
  ["1.2.0-rc.1", "1.2.0-beta.9", "newer"],
  ["2026.9.6-2", "2026.9.6", "newer"],
])("compares a state of %s with an image with %s: %s", async (state, version, age) => {
  wrote(state);
  expect(await versions(image(version))).toMatchObject({
    image: { name: "gw", version },
    state: { version: state },
    age,
  });
  expect((await versions(image(version), "gw", state)).age).toBe(age);
});

test("returns `unknown` when a version is missing or the gateways differ", async () => {
  expect(await versions(image("1.0.0"))).toEqual({
    image: { name: "gw", version: "1.0.0" },
    age: "unknown",
    diskBytes: expect.any(Number),
  });
  wrote("1.0.0");
  expect((await versions({ GATEWAY_COMMAND: '["true"]' })).image).toBeUndefined();
  expect((await versions(image("1.0.0"), "other", "2.0.0")).age).toBe("unknown");
  // Invalid records of the tenant's own programs are ignored.
  wrote("1.0.0\n$(reboot)");
  expect((await versions(image("1.0.0"))).state).toBeUndefined();
  writeFileSync(inState(".tenantry-openclaw.json"), '{"version":"2026.9.5","accepted":"x"}');
  rmSync(inState(".tenantry-gateway.json"));
  expect((await versions(image("1.0.0"))).state).toEqual({ name: "openclaw", version: "2026.9.5" });
});

test("fails when the version command fails", async () => {
  for (const command of [["false"], ["echo", "1.0.0"]]) {
    const env = { GATEWAY_VERSION_COMMAND: JSON.stringify(command) };
    const { code, stderr } = await runScript(root, "versions.mjs", [], { env });
    expect([code, stderr]).toEqual([69, expect.stringContaining("GATEWAY_VERSION_COMMAND")]);
  }
});

test("records the gateway in an archive and keeps its record, also with the image's own backup command", async () => {
  wrote("1.2.3", { own: "kept" });
  writeFileSync(inState("file"), "file");
  const copies = ["sh", "-c", 'echo copied > "$1/file"', "sh", "{directory}"];
  for (const env of [{}, { GATEWAY_BACKUP_COMMAND: JSON.stringify(copies) }]) {
    const made = await runScript(root, "backup.mjs", ["one"], { env });
    expect(made.stderr).toBe("");
    const archive = archiveInfo.parse(JSON.parse(made.stdout));
    expect(archive.gateway).toEqual({ name: "gw", version: "1.2.3" });
    rmSync(join(root, "state"), { recursive: true });
    expect((await runScript(root, "restore.mjs", ["one", archive.sha256])).code).toBe(0);
    expect(JSON.parse(readFileSync(inState(".tenantry-gateway.json"), "utf8"))).toMatchObject({ own: "kept" });
  }
});

const start = (env: Record<string, string>) =>
  runScript(root, "start-gateway.mjs", [], {
    env: {
      GATEWAY_TOKEN: "token",
      GATEWAY_COMMAND: '["sh","-c","touch $STATE_DIR/touched; exit 3"]',
      LOG_DIR: join(root, "logs"),
      ...env,
    },
  });

test("does not start a gateway with a newer state, or with an older one without a backup", async () => {
  wrote("2.0.0");
  const newer = await start(image("1.0.0"));
  expect([newer.code, newer.stderr]).toEqual([78, expect.stringContaining("gw 2.0.0, newer than this image's 1.0.0")]);
  const older = await start(image("3.0.0"));
  expect([older.code, older.stderr]).toEqual([78, expect.stringContaining("was not backed up before its upgrade")]);
  expect(() => readFileSync(inState("touched"))).toThrow("ENOENT");
  expect((await start({ ...image("3.0.0"), STATE_BACKUP: "a-backup" })).stderr).toContain("with code 3");
  expect((await start(image("2.0.0"))).stderr).toContain("with code 3");
});

test("compares versions as the control plane does", async () => {
  const AGES = { "-1": "older", "0": "same", "1": "newer" } as const;
  const sorted = ["1.0.0-beta.1", "1.0.0-beta.2", "1.0.0", "1.0.0-2", "v1.10.0", "1.2+build", "2026.9.6"];
  for (const state of sorted) {
    for (const of of ["1.0.0", "1.2", "2026.9.6-2"]) {
      const age = AGES[String(Math.sign(compareGatewayVersions(state, of))) as keyof typeof AGES];
      expect([state, of, (await versions(image(of), "gw", state)).age]).toEqual([state, of, age]);
    }
  }
});
