/** Compares the archive format with GNU tar, with all names that a file system allows. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { archiveInfo, STATE_MARKER_FILE } from "#workers/contracts/tenant/sandbox.ts";
import { runScript } from "../testing/container-script.ts";

let root: string;
let state: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "archive-test-"));
  state = join(root, "state");
  mkdirSync(state);
  writeFileSync(join(state, STATE_MARKER_FILE), '{"id":"state-1"}', { mode: 0o600 });
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

/** A path as a byte string. */
const at = (directory: string, name: string): Buffer =>
  Buffer.concat([Buffer.from(`${directory}/`), Buffer.from(name, "latin1")]);
const archive = () => join(root, "run/archives/one.tar.gz");
const sha256Of = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");

/** Describes everything below a directory: type, mode, time, content and hard links. */
function contents(directory: string, prefix = "", files = new Map<number, string>()): Record<string, string> {
  const all: Record<string, string> = {};
  for (const name of readdirSync(at(directory, prefix), { encoding: "latin1" }).sort()) {
    const path = `${prefix}${name}`;
    const status = lstatSync(at(directory, path));
    const of = `${(status.mode & 0o777).toString(8)} ${Math.floor(status.mtimeMs / 1000)}`;
    if (status.isSymbolicLink()) all[path] = `link ${readlinkSync(at(directory, path), { encoding: "latin1" })}`;
    else if (status.isDirectory()) {
      all[`${path}/`] = of;
      Object.assign(all, contents(directory, `${path}/`, files));
    } else {
      const first = files.get(status.ino) ?? path;
      files.set(status.ino, first);
      const digest = createHash("sha256")
        .update(readFileSync(at(directory, path)))
        .digest("hex");
      all[path] = `${of} ${digest} ${first}`;
    }
  }
  return all;
}

/** Everything except the marker, which is written with the archive. */
const unmarked = ({ [STATE_MARKER_FILE]: _marker, ...rest }: Record<string, string>) => rest;

const LONG_BINARY = `${"\xe9".repeat(120)}\x80`;

/** A state with entries that are difficult to archive. */
function fill(): void {
  const file = (name: string, content: string, mode = 0o644) => {
    writeFileSync(at(state, name), content);
    chmodSync(at(state, name), mode);
  };
  file("caf\xe9", "latin-1");
  file("\xff\xfe", "no text at all", 0o600);
  file("two\nlines", "newline", 0o755);
  file(" spaces and\ttabs \\ \"quotes\" 'too' ", "odd");
  file(LONG_BINARY, "long and no UTF-8");
  file("\xc3\xbc".repeat(60), "long and UTF-8");
  file("empty-file", "", 0o400);
  mkdirSync(at(state, "d\xe9"), { mode: 0o750 });
  mkdirSync(at(state, "d\xe9/empty"), { mode: 0o700 });
  const deep = `d\xe9/${"deep".repeat(30)}/${"er".repeat(60)}`;
  mkdirSync(at(state, deep), { recursive: true });
  file(`${deep}/f\xfcr`, "deep");
  symlinkSync(Buffer.from("caf\xe9", "latin1"), at(state, "link\xe9"));
  symlinkSync(Buffer.from(`/${LONG_BINARY}`, "latin1"), at(state, "far"));
  linkSync(at(state, LONG_BINARY), at(state, "z-same"));
  linkSync(at(state, "caf\xe9"), at(state, "d\xe9/z-same"));
  for (const name of readdirSync(Buffer.from(state), { encoding: "latin1" }))
    if (!lstatSync(at(state, name)).isSymbolicLink()) utimesSync(at(state, name), 1_700_000_000, 1_700_000_000);
}

async function backUp() {
  const { code, stdout, stderr } = await runScript(root, "backup.mjs", ["one"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return archiveInfo.parse(JSON.parse(stdout));
}

async function restore(): Promise<void> {
  rmSync(state, { recursive: true });
  expect(await runScript(root, "restore.mjs", ["one", sha256Of(archive())])).toMatchObject({ code: 0, stderr: "" });
}

test("restores files byte by byte, with any name", async () => {
  fill();
  const before = contents(state);
  const { files } = await backUp();
  expect(files).toBe(Object.values(before).filter((of) => / [0-9a-f]{64} /.test(of)).length - 1);
  await restore();
  expect(unmarked(contents(state))).toEqual(unmarked(before));
});

test("writes archives that GNU tar reads", async () => {
  fill();
  await backUp();
  const other = join(root, "other");
  mkdirSync(other);
  // GNU tar reads long names that are not UTF-8, but warns about an unknown keyword.
  execFileSync("tar", ["-xpzf", archive(), "-C", other], { stdio: ["ignore", "ignore", "pipe"] });
  expect(unmarked(contents(other))).toEqual(unmarked(contents(state)));
});

describe("an archive of GNU tar", () => {
  test.each(["gnu", "pax"])("restores in the format %s", async (format) => {
    fill();
    const before = contents(state);
    mkdirSync(join(root, "run/archives"), { recursive: true });
    const names = execFileSync("find", [".", "-mindepth", "1", "-printf", "%P\\0"], { cwd: state });
    const how = [`--format=${format}`, "--null", "--no-recursion", "-T", "-"];
    execFileSync("tar", ["-czf", archive(), "-C", state, ...how], { input: names, env: { PATH: process.env.PATH } });
    await restore();
    expect(contents(state)).toEqual(before);
  });

  test("restores in the format ustar, with split paths", async () => {
    const deep = `${"d".repeat(90)}/${"e".repeat(90)}`;
    mkdirSync(join(state, deep), { recursive: true });
    writeFileSync(join(state, deep, "f"), "deep");
    const before = contents(state);
    mkdirSync(join(root, "run/archives"), { recursive: true });
    execFileSync("tar", ["-czf", archive(), "--format=ustar", "-C", state, ...readdirSync(state)]);
    await restore();
    expect(contents(state)).toEqual(before);
  });
});

test("copies a database with a name that is not UTF-8, including its write-ahead log", async () => {
  const plain = join(state, "plain.sqlite");
  const database = new DatabaseSync(plain);
  database.exec("pragma journal_mode = wal; create table t (x); insert into t values (1)");
  for (const end of ["", "-wal", "-shm"]) linkSync(`${plain}${end}`, at(state, `d\xe9${end}`));
  for (const end of ["", "-wal", "-shm"]) rmSync(`${plain}${end}`);
  await backUp();
  database.close();
  await restore();
  expect(readdirSync(Buffer.from(state), { encoding: "latin1" })).toEqual([STATE_MARKER_FILE, "d\xe9"]);
  const copy = join(root, "copy.sqlite");
  writeFileSync(copy, readFileSync(at(state, "d\xe9")));
  expect(new DatabaseSync(copy).prepare("select x from t").all()).toEqual([{ x: 1 }]);
});

test("reports files that cannot be archived", async () => {
  execFileSync("mkfifo", [join(state, "pipe")]);
  mkdirSync(join(state, "d"));
  const server = createServer().listen(join(state, "d/socket"));
  await new Promise((resolve) => server.once("listening", resolve));
  const info = await backUp();
  server.close();
  expect(info.leftOut).toEqual({
    count: 2,
    first: [
      { path: "d/socket", kind: "socket" },
      { path: "pipe", kind: "fifo" },
    ],
  });
  await restore();
  expect(existsSync(join(state, "pipe"))).toBe(false);
});
