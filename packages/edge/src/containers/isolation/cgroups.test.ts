import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { Cgroups, joinCommand } from "./cgroups.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "cgroups-test-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
});

const SIZE = { memoryMiB: 256, vcpu: 1 / 16 };
const read = (path: string) => readFileSync(join(directory, path), "utf8");

/** Creates files, as the kernel does in a new directory. */
function fill(path: string, names: readonly string[], text = ""): void {
  mkdirSync(join(directory, path), { recursive: true });
  for (const name of names) writeFileSync(join(directory, path, name), text);
}

/** Describes hierarchies of this process as `/proc/self` does. @param mounts `[folder, root, type, options]` */
function describeProcess(mounts: readonly (readonly string[])[], groups: string): string {
  const line = ([folder = "", root, type, options]: readonly string[]) =>
    `30 25 0:26 ${root} ${join(directory, folder)} rw,nosuid shared:9 - ${type} cgroup rw,${options}`;
  writeFileSync(join(directory, "mountinfo"), ["22 1 8:1 / / rw - ext4 /dev/sda rw", ...mounts.map(line)].join("\n"));
  writeFileSync(join(directory, "cgroup"), groups);
  return directory;
}
const open = (proc: string) => new Cgroups(join(directory, "record"), "mark", { proc, joins: () => true });

test("version 2: limits are those of the instance type, in the nearest part that is this user's", () => {
  const files = ["memory.max", "memory.swap.max", "memory.oom.group", "pids.max", "cpu.weight", "cpu.max"];
  // The scope of a session has processes, so its parent has the groups.
  fill("fs/user/app/session", []);
  fill("fs/user/app/tenantry-mark", ["cgroup.controllers"], "cpu io memory pids\n");
  fill("fs/user/app/tenantry-mark", ["cgroup.subtree_control"]);
  fill("fs/user/app/tenantry-mark/one", files);
  const groups = open(describeProcess([["fs", "/", "cgroup2", ""]], "0::/user/app/session\n"));
  expect(groups.controllers).toEqual(["memory", "pids", "cpu"]);
  expect(read("fs/user/app/tenantry-mark/cgroup.subtree_control")).toBe("+memory +pids +cpu");
  const procs = groups.open("one", SIZE);
  expect(procs).toEqual([join(directory, "fs/user/app/tenantry-mark/one/cgroup.procs")]);
  expect(files.map((file) => read(`fs/user/app/tenantry-mark/one/${file}`))).toEqual([
    ...["268435456", "0", "1", "2048", "6", "100000 100000"],
  ]);
  expect(joinCommand(procs).slice(-3)).toEqual(["sh", procs[0], "--"]);
});

test("version 1: each hierarchy has its part, also below the root of another container", () => {
  fill("memory/tenantry-mark/one", ["memory.limit_in_bytes", "memory.memsw.limit_in_bytes"]);
  fill("pids/tenantry-mark/one", ["pids.max"]);
  const mounts = [
    ["memory", "/docker/1", "cgroup", "memory"],
    ["pids", "/docker/1", "cgroup", "pids"],
    ["blkio", "/docker/1", "cgroup", "blkio"],
  ];
  const groups = open(describeProcess(mounts, "3:blkio:/docker/1\n2:pids:/docker/1\n1:memory:/docker/1\n0::/\n"));
  expect(groups.controllers).toEqual(["memory", "pids"]);
  groups.open("one", SIZE);
  expect([read("memory/tenantry-mark/one/memory.limit_in_bytes"), read("pids/tenantry-mark/one/pids.max")]).toEqual([
    "268435456",
    "2048",
  ]);
  // Without a size only processes are limited.
  fill("memory/tenantry-mark/two", ["memory.limit_in_bytes"]);
  groups.open("two", undefined);
  expect(read("memory/tenantry-mark/two/memory.limit_in_bytes")).toBe("");
});

test("nothing is limited without control groups, or where none can be created", () => {
  expect(open(join(directory, "missing")).controllers).toEqual([]);
  // A file in place of the directory refuses it for root, too.
  writeFileSync(join(directory, "pids"), "");
  const groups = open(describeProcess([["pids", "/", "cgroup", "pids"]], "1:pids:/\n"));
  expect([groups.controllers, groups.open("one", SIZE)]).toEqual([[], []]);
});

test("groups of a killed edge are removed at the next start, and no other directory", () => {
  mkdirSync(join(directory, "elsewhere/tenantry-mark/one"), { recursive: true });
  mkdirSync(join(directory, "elsewhere/other/one"), { recursive: true });
  const left = ["elsewhere/tenantry-mark", "elsewhere/other"].map((path) => join(directory, path));
  writeFileSync(join(directory, "record"), JSON.stringify(left));
  open(join(directory, "missing"));
  expect(() => read("elsewhere/tenantry-mark")).toThrow("ENOENT");
  expect(() => read("elsewhere/other")).toThrow("EISDIR");
  expect(read("record")).toBe("[]");
});
