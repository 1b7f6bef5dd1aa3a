import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  endCommand,
  parseProcessQuery,
  parseStateQuery,
  processQuery,
  stateQuery,
  writeArchiveCommand,
} from "./commands.ts";

const run = (command: string, env: Record<string, string>) =>
  execFileSync("sh", ["-c", command], { encoding: "utf8", env: { ...process.env, ...env } });
const ask = (directory: string, env: Record<string, string> = {}) =>
  parseProcessQuery(run(processQuery(), { RUN_DIR: directory, ...env }));

test("finds the marked process and its state, but not children that inherit the marker", async () => {
  const directory = mkdtempSync(join(tmpdir(), "process-query-"));
  const failurePath = join(directory, "start-failure.json");
  const shell = 'export TENANTRY_PROCESS="gateway:$$"; exec "$0" -e "$1"';
  const program =
    'require("node:child_process").spawn("sleep", ["60"]).once("spawn", () => console.log("up")); setInterval(() => {}, 1e5)';
  const gateway = spawn("sh", ["-c", shell, process.execPath, program], {
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    await once(gateway.stdout, "data");
    const ours = () => ask(directory).processes.filter(({ id }) => id === String(gateway.pid));
    const children = () => execFileSync("pgrep", ["-P", String(gateway.pid)], { encoding: "utf8" }).trim();
    expect(ours()).toEqual([{ id: String(gateway.pid), type: "gateway", status: "running" }]);
    expect(ask(directory).processes.map(({ id }) => id)).not.toContain(children());
    expect(ask(directory).family).toEqual(expect.arrayContaining([String(gateway.pid), children()]));
    // A container that shares the process list finds its own processes.
    expect(ask(directory, { TENANTRY_SANDBOX: "another", TENANTRY_SHARED_PROCESSES: "true" })).toEqual({
      processes: [],
      family: [],
    });
    gateway.kill("SIGSTOP");
    // The kernel stops it a moment after the signal was sent.
    run("until grep -q '^State:.T' /proc/$PID/status; do sleep 0.01; done", { PID: String(gateway.pid) });
    expect(ours()[0]?.status).toBe("suspended");
    writeFileSync(
      failurePath,
      JSON.stringify({ at: "2026-01-01T00:00:00.000Z", exitCode: 2, message: "it did not answer" }),
    );
    expect(ask(directory).failure).toEqual({
      at: "2026-01-01T00:00:00.000Z",
      exitCode: 2,
      message: "it did not answer",
    });
  } finally {
    process.kill(-(gateway.pid ?? 0), "SIGKILL");
    rmSync(directory, { recursive: true, force: true });
  }
});

test("ends a process and its group, and kills them after five seconds", async () => {
  const polite = spawn("sh", ["-c", "sleep 60 & wait"], { detached: true, stdio: "ignore" });
  const stubborn = spawn("sh", ["-c", "trap '' TERM; echo up; while :; do sleep 1; done"], {
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  await once(stubborn.stdout, "data");
  const ends = [once(polite, "exit"), once(stubborn, "exit")];
  try {
    const command = once(spawn("sh", ["-c", endCommand([String(polite.pid), String(stubborn.pid)])]), "exit");
    expect(await command).toEqual([0, null]);
    expect((await Promise.all(ends)).map(([, signal]) => signal)).toEqual(["SIGTERM", "SIGKILL"]);
  } finally {
    stubborn.kill("SIGKILL");
  }
});

test("parses empty output, as of a sleeping container, as an empty list", () => {
  expect(parseProcessQuery("")).toEqual({ processes: [], family: [] });
});

/** Whether a test can mount a disk. */
const hasDisk = spawnSync("unshare", ["-Urm", "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0;

test.skipIf(!hasDisk)("distinguishes a full disk from another failure to write an archive", () => {
  const directory = mkdtempSync(join(tmpdir(), "write-archive-"));
  const write = (mount: string, bytes: number) => {
    const [, , script = "", name = ""] = writeArchiveCommand("one");
    const command = ["-Urm", "sh", "-c", `${mount} && exec sh -c "$0" "$1"`, script, name];
    const env = { ...process.env, RUN_DIR: directory };
    return spawnSync("unshare", command, { input: Buffer.alloc(bytes, 1), env }).status;
  };
  try {
    const small = `mount -t tmpfs -o size=1m none '${directory}'`;
    expect(write(small, 1000)).toBe(0);
    expect(write(small, 2_000_000)).toBe(74);
    expect(write(`mount -t tmpfs -o ro none '${directory}'`, 1000)).toBe(1);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

const use = (usedBytes: number, totalBytes: number) => ({ usedBytes, totalBytes });

test("reports the use of disk and memory", () => {
  const directory = mkdtempSync(join(tmpdir(), "resources-"));
  try {
    const { resources } = ask(directory, { STATE_DIR: directory });
    const { bsize, blocks } = statfsSync(directory);
    expect(resources?.disk?.totalBytes).toBeGreaterThan(0);
    expect(resources?.disk?.totalBytes).toBeLessThanOrEqual(bsize * blocks);
    expect(resources?.disk?.usedBytes).toBeLessThanOrEqual(resources?.disk?.totalBytes ?? 0);
    expect(ask(directory, { STATE_DIR: join(directory, "none") }).resources?.disk).toBeUndefined();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

test("reports the memory of the control group without caches, or else of the gateway's processes", () => {
  const machine = "MemTotal:        2048 kB";
  const marked = "/proc/7/environ:TENANTRY_PROCESS=gateway:7\n/proc/8/environ:TENANTRY_PROCESS=gateway:7";
  const resident = [7, 8, 9].map((pid) => `/proc/${pid}/status:VmRSS:\t     100 kB`).join("\n");
  const memory = (...lines: string[]) => parseProcessQuery(lines.join("\n")).resources?.memory;
  expect(memory(marked, resident, machine)).toEqual(use(200 * 1024, 2048 * 1024));
  const group = (max: string) =>
    `/sys/fs/cgroup/memory.current:5000\n/sys/fs/cgroup/memory.max:${max}\n/sys/fs/cgroup/memory.stat:inactive_file 1000`;
  expect(memory(marked, resident, machine, group("8000"))).toEqual(use(4000, 8000));
  expect(memory(marked, resident, machine, group("max"))).toEqual(use(4000, 2048 * 1024));
  expect(memory(marked, resident)).toBeUndefined();
});

test("reports the disk space that the tenant may use, with any file system name", () => {
  const disk = (line: string) => parseProcessQuery(`disk: ${line}`).resources?.disk;
  expect(disk("/dev/vda1 1000 600 300 67% /workspace")).toEqual(use(600 * 1024, 900 * 1024));
  expect(disk("disk 1 of 2 1000 600 300 67% /workspace")).toEqual(use(600 * 1024, 900 * 1024));
  expect(disk("")).toBeUndefined();
});

test("distinguishes an empty, an unmarked and a marked state", () => {
  const directory = mkdtempSync(join(tmpdir(), "state-query-"));
  const state = join(directory, "state");
  const inspect = () => parseStateQuery(run(stateQuery(), { STATE_DIR: state }));
  try {
    expect(inspect()).toEqual({ empty: true });
    mkdirSync(state);
    expect(inspect()).toEqual({ empty: true });
    writeFileSync(join(state, "memory"), "");
    expect(inspect()).toEqual({ empty: false });
    writeFileSync(join(state, ".tenantry-state.json"), '{"id":"one"}');
    expect(inspect()).toEqual({ empty: false, id: "one" });
    expect(parseStateQuery("")).toEqual({ empty: true });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
