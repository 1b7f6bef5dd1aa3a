import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "@tenantry/std/free-port";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ArchiveInfo, archiveInfo, STATE_MARKER_FILE } from "#workers/contracts/tenant/sandbox.ts";
import { BUSY_GATEWAY } from "../testing/busy-gateway.ts";
import { runScript } from "../testing/container-script.ts";

/** Holds the lock of starts and restores. */
const HOLDER = `
  import { takeLock } from ${JSON.stringify(join(import.meta.dirname, "sandbox-lock.mjs"))};
  await takeLock("start", process.argv[1]);
  console.log("held");
  setInterval(() => {}, 60_000);`;

let root: string;
let state: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "backup-test-"));
  state = join(root, "state");
  mkdirSync(state);
  writeFileSync(join(state, STATE_MARKER_FILE), '{"id":"state-1"}');
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const run = (script: string, parameters: string[], env: Record<string, string> = {}) =>
  runScript(root, script, parameters, { env });

async function backUp(name = "one", extra: Record<string, string> = {}): Promise<ArchiveInfo> {
  const { code, stdout, stderr } = await run("backup.mjs", [name], extra);
  expect(stderr).toBe("");
  expect(code).toBe(0);
  return archiveInfo.parse(JSON.parse(stdout));
}

const archivePath = (name = "one") => join(root, "run/archives", `${name}.tar.gz`);
const sha256Of = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");
const moveAway = () => renameSync(state, join(root, "before"));
const leftovers = () => readdirSync(root).filter((name) => name.endsWith(".restoring"));

test("restores files, directories, links, modes and long names, without cache and tmp", async () => {
  const long = `${"d".repeat(90)}/${"ü".repeat(60)}`;
  mkdirSync(join(state, "empty"), { mode: 0o750 });
  mkdirSync(join(state, long), { recursive: true });
  for (const name of ["cache", "tmp"]) {
    mkdirSync(join(state, name));
    writeFileSync(join(state, name, "f"), "left out");
  }
  mkdirSync(join(state, "empty/cache"));
  const large = randomBytes(9_000_000);
  writeFileSync(join(state, "large"), large);
  writeFileSync(join(state, "nothing"), "");
  writeFileSync(join(state, long, "deep"), "deep");
  chmodSync(join(state, "nothing"), 0o640);
  symlinkSync("large", join(state, "link"));
  symlinkSync(`/${"x".repeat(150)}`, join(state, "far"));

  const info = await backUp();
  expect(info).toMatchObject({ state: "state-1", files: 3, size: statSync(archivePath()).size });
  const listed = execFileSync("tar", ["-tzf", archivePath(), "--quoting-style=literal"], { encoding: "utf8" });
  expect(listed).toContain(`${long}/deep`);
  moveAway();
  mkdirSync(state);
  expect(await run("restore.mjs", ["one", info.sha256])).toMatchObject({ code: 0, stderr: "" });
  expect(readdirSync(state).sort()).toEqual(
    [STATE_MARKER_FILE, "d".repeat(90), "empty", "far", "large", "link", "nothing"].sort(),
  );
  expect(readFileSync(join(state, "large")).equals(large)).toBe(true);
  expect(readFileSync(join(state, long, "deep"), "utf8")).toBe("deep");
  expect(readdirSync(join(state, "empty"))).toEqual(["cache"]);
  expect(statSync(join(state, "empty")).mode & 0o777).toBe(0o750);
  expect(statSync(join(state, "nothing")).mode & 0o777).toBe(0o640);
  expect(readlinkSync(join(state, "far"))).toBe(`/${"x".repeat(150)}`);
  expect(existsSync(archivePath())).toBe(false);
});

test("restores a consistent database that was written during the backup", async () => {
  const port = String(await freePort());
  const gateway = spawn(process.execPath, [BUSY_GATEWAY], {
    env: { STATE_DIR: state, GATEWAY_PORT: port },
    stdio: "inherit",
  });
  const rows = async (): Promise<number> => {
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
      if (answer !== undefined) return JSON.parse(await answer.text()).rows;
      await delay(20);
    }
  };
  try {
    while ((await rows()) < 2_000) await delay(20);
    const before = await rows();
    const info = await backUp();
    const after = await rows();
    expect(after).toBeGreaterThan(before);
    gateway.kill("SIGKILL");
    moveAway();
    expect((await run("restore.mjs", ["one", info.sha256])).code).toBe(0);
    expect(readdirSync(state).sort()).toEqual([STATE_MARKER_FILE, "busy.sqlite"]);
    const database = new DatabaseSync(join(state, "busy.sqlite"));
    expect(database.prepare("pragma integrity_check").get()).toEqual({ integrity_check: "ok" });
    const restored = database.prepare("select count(*) as count, max(n) as last from rows").get();
    expect(restored?.count).toBe(restored?.last);
    expect(restored?.last).toBeGreaterThanOrEqual(before);
    expect(restored?.last).toBeLessThanOrEqual(after);
    expect(database.prepare("select count(*) as count from twins").get()?.count).toBe(restored?.count);
    database.close();
  } finally {
    gateway.kill("SIGKILL");
  }
});

test("reports a damaged archive and restores nothing", async () => {
  writeFileSync(join(state, "memory"), randomBytes(100_000));
  const { sha256, size } = await backUp();
  moveAway();
  truncateSync(archivePath(), size - 1_000);
  const { code, stderr } = await run("restore.mjs", ["one", sha256]);
  expect(code).toBe(76);
  expect(stderr).toContain("checksum");
  expect(existsSync(state)).toBe(false);
});

test.each([
  ["cut off", (whole: Buffer) => whole.subarray(0, whole.length - 2_000)],
  ["not an archive", () => Buffer.from("hello")],
])("reports an archive that was stored %s as damaged although its checksum matches", async (_, spoil) => {
  writeFileSync(join(state, "memory"), randomBytes(100_000));
  await backUp();
  moveAway();
  writeFileSync(archivePath(), spoil(readFileSync(archivePath())));
  const sha256 = sha256Of(archivePath());
  expect((await run("restore.mjs", ["one", sha256])).code).toBe(65);
  expect(existsSync(state)).toBe(false);
  expect(leftovers()).toEqual([]);
});

test("does not write outside the state directory", async () => {
  mkdirSync(join(root, "run/archives"), { recursive: true });
  const outside = join(root, "outside");
  mkdirSync(outside);
  writeFileSync(join(outside, "a"), "evil");
  execFileSync("tar", ["-czPf", archivePath(), "--format=ustar", "-C", outside, "--transform=s,^,../,", "a"]);
  const sha256 = sha256Of(archivePath());
  moveAway();
  const { code, stderr } = await run("restore.mjs", ["one", sha256]);
  expect(code).toBe(65);
  expect(stderr).toContain("outside");
  expect(existsSync(join(root, "a"))).toBe(false);
});

test("does not overwrite an existing state", async () => {
  const { sha256 } = await backUp();
  writeFileSync(join(state, "newer"), "newer");
  expect((await run("restore.mjs", ["one", sha256])).code).toBe(73);
  expect(readFileSync(join(state, "newer"), "utf8")).toBe("newer");
});

test("leaves the state empty when a restore is killed, and restores completely afterwards", async () => {
  writeFileSync(join(state, "large"), randomBytes(60_000_000));
  const { sha256 } = await backUp();
  const copy = join(root, "copy.tar.gz");
  execFileSync("cp", [archivePath(), copy]);
  moveAway();
  const env = { STATE_DIR: state, RUN_DIR: join(root, "run") };
  const child = spawn(process.execPath, [join(import.meta.dirname, "restore.mjs"), "one", sha256], { env });
  const ended = new Promise<unknown>((resolve) => child.once("exit", (_code, signal) => resolve(signal)));
  while (!existsSync(`${state}.restoring/large`)) await delay(1);
  child.kill("SIGKILL");
  expect(await ended).toBe("SIGKILL");
  expect(existsSync(state)).toBe(false);
  renameSync(copy, archivePath());
  expect((await run("restore.mjs", ["one", sha256])).code).toBe(0);
  expect(statSync(join(state, "large")).size).toBe(60_000_000);
  expect(leftovers()).toEqual([]);
});

test("reports whether the disk has room", async () => {
  expect(await run("restore.mjs", ["--room", "1"])).toMatchObject({ code: 0, stderr: "" });
  const none = await run("restore.mjs", ["--room", "100000000000000"]);
  expect(none.code).toBe(74);
  expect(none.stderr).toMatch(/^the backup needs 100000000000000 bytes on the disk, and \d+ are free\n$/);
  for (const bytes of ["", "-1", "many"]) expect((await run("restore.mjs", ["--room", bytes])).code).toBe(64);
});

test("removes files of interrupted restores, but not while a start or a backup is in progress", async () => {
  const archives = join(root, "run/archives");
  const staging = `${state}.restoring`;
  const leave = () => {
    for (const directory of [archives, staging]) mkdirSync(directory, { recursive: true });
    for (const path of [join(archives, "broken.tar.gz"), join(staging, "half")]) writeFileSync(path, "left");
  };
  const left = () => [archives, staging].filter((directory) => existsSync(directory));
  leave();
  expect((await run("restore.mjs", ["--make-room", "1"])).code).toBe(0);
  expect(left()).toEqual([archives, staging]);
  moveAway();
  const holder = spawn(process.execPath, ["--input-type=module", "-e", HOLDER, join(root, "run")]);
  await new Promise((resolve) => holder.stdout.once("data", resolve));
  expect((await run("restore.mjs", ["--make-room", "1"])).code).toBe(0);
  expect(left()).toEqual([archives, staging]);
  const ended = new Promise((resolve) => holder.once("exit", resolve));
  holder.kill("SIGKILL");
  await ended;
  expect((await run("restore.mjs", ["--make-room", "1"])).code).toBe(0);
  expect(left()).toEqual([]);
  expect((await run("restore.mjs", ["--make-room", "100000000000000"])).code).toBe(74);
});

/** Whether a test can mount a disk. */
const hasDisk = spawnSync("unshare", ["-Urm", "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0;

test.skipIf(!hasDisk)("reports a disk that becomes full during a restore, and leaves no files", async () => {
  const { unpackedSize = 0 } = await backUp("empty");
  writeFileSync(join(state, "large"), randomBytes(3_000_000));
  const info = await backUp();
  expect((info.unpackedSize ?? 0) - unpackedSize).toBe(Math.ceil(3_000_000 / 4096) * 4096);
  const disk = join(root, "disk");
  mkdirSync(disk);
  const mounted = `mount -t tmpfs -o size=2m none '${disk}' && "$@"; code=$?; ls -A '${disk}'; exit $code`;
  const onDisk = (command: string, parameters: string[]) =>
    runScript(root, command, parameters, {
      env: { STATE_DIR: join(disk, "state") },
      before: ["unshare", "-Urm", "sh", "-c", mounted, "sh"],
    });
  expect(await onDisk("restore.mjs", ["--room", "1000000"])).toMatchObject({ code: 0 });
  expect((await onDisk("restore.mjs", ["--room", String(info.unpackedSize)])).code).toBe(74);
  expect(await onDisk("restore.mjs", ["one", info.sha256])).toMatchObject({ code: 74, stdout: "" });
});

test("leaves no archive when a backup is killed, and the next one removes its files", async () => {
  writeFileSync(join(state, "large"), randomBytes(60_000_000));
  const env = { STATE_DIR: state, RUN_DIR: join(root, "run") };
  const child = spawn(process.execPath, [join(import.meta.dirname, "backup.mjs"), "one"], { env });
  const ended = new Promise<unknown>((resolve) => child.once("exit", (_code, signal) => resolve(signal)));
  while (!existsSync(join(root, "run/archives/one.partial"))) await delay(1);
  child.kill("SIGKILL");
  expect(await ended).toBe("SIGKILL");
  expect(existsSync(archivePath())).toBe(false);
  await backUp("two");
  expect(readdirSync(join(root, "run/archives"))).toEqual(["two.tar.gz"]);
});

test("archives the output of the image's own backup command", async () => {
  writeFileSync(join(state, "raw"), "raw");
  const script = 'echo exported > "$1/export"';
  const info = await backUp("one", {
    GATEWAY_BACKUP_COMMAND: JSON.stringify(["sh", "-c", script, "sh", "{directory}"]),
  });
  expect(info).toMatchObject({ state: "state-1", files: 1 });
  moveAway();
  expect((await run("restore.mjs", ["one", info.sha256])).code).toBe(0);
  expect(readdirSync(state).sort()).toEqual([STATE_MARKER_FILE, "export"]);
  const failed = await run("backup.mjs", ["two"], { GATEWAY_BACKUP_COMMAND: '["false"]' });
  expect(failed).toMatchObject({ code: 1, stderr: "the gateway's backup command failed\n" });
  expect(existsSync(archivePath("two"))).toBe(false);
  expect((await run("backup.mjs", ["two"], { GATEWAY_BACKUP_COMMAND: "no" })).code).toBe(64);
});

test("does not back up a state without a marker", async () => {
  rmSync(join(state, STATE_MARKER_FILE));
  expect((await run("backup.mjs", ["one"])).code).toBe(69);
  expect((await run("backup.mjs", ["../one"])).code).toBe(64);
});
