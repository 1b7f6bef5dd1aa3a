import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runInNewContext } from "node:vm";
import { expect, onTestFinished, test } from "vitest";

const directory = import.meta.dirname;
const dockerfile = readFileSync(join(directory, "Dockerfile"), "utf8");
const [, copied = ""] = /^COPY (.+) \/opt\/tenantry\/$/m.exec(dockerfile) ?? [];
const files = copied.split(" ");

/** Folders that the image has as a whole. */
const folders = [...dockerfile.matchAll(/^COPY ([a-z]+) \/opt\/tenantry\/\1$/gm)].map(([, name = ""]) => name);

const isScript = (name: string) => /(?<!\.test)\.mjs$/.test(name);
const scriptsOf = (folder: string) =>
  readdirSync(join(directory, folder))
    .filter(isScript)
    .map((name) => `${folder}/${name}`);

/** @returns paths of a script and of what it imports, relative to the scripts' directory */
function imports(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, name = ""] of readFileSync(join(directory, file), "utf8").matchAll(/from "(\.{1,2}\/[^"]+)"/g))
    imports(join(dirname(file), name), seen);
  return seen;
}

test("contains every script that the tenant Worker runs, with its imports, and no other file", () => {
  const commands = ["commands.ts", "sandbox.ts"].map((name) =>
    readFileSync(join(directory, "../sandbox", name), "utf8"),
  );
  const run = [...commands.join("\n").matchAll(/((?:[a-z]+\/)?[a-z-]+\.mjs)/g)].map(([, name = ""]) => name);
  const own = ["start-gateway.mjs", "versions.mjs", "backup.mjs", "restore.mjs", "work.mjs"];
  expect(new Set(run)).toEqual(new Set([...own, "state/files.mjs", "doctor/doctor.mjs"]));
  const [, first = ""] = /^ENTRYPOINT \["sh", "\/opt\/tenantry\/(.+)"\]$/m.exec(dockerfile) ?? [];
  const needed = new Set([first, ...[...run, ...scriptsOf("openclaw")].flatMap((name) => [...imports(name)])]);
  const [inFolders, outside] = [true, false].map((is) => [...needed].filter((name) => name.includes("/") === is));
  expect(files.toSorted()).toEqual(outside?.toSorted());
  expect(new Set(inFolders?.map((name) => name.split("/")[0]))).toEqual(new Set(folders));
  for (const file of needed) expect(existsSync(join(directory, file)), file).toBe(true);
});

test("keeps OpenClaw in a folder of its own, of which other scripts name one path only", () => {
  expect(folders).toContain("openclaw");
  const others = [...files, ...scriptsOf("state"), ...scriptsOf("doctor")];
  const outside = others.map((file) => readFileSync(join(directory, file), "utf8")).join("\n");
  expect(outside.match(/openclaw\/\S+/g)).toEqual(['openclaw/run.mjs",']);
});

test("accepts the versions of Node that OpenClaw supports", () => {
  const [, check = ""] = /node -e '(.+)'/.exec(dockerfile) ?? [];
  const isTaken = (node: string): boolean => {
    let code: unknown;
    runInNewContext(check, { process: { versions: { node }, exit: (given: number) => (code ??= given) } });
    return code === 0;
  };
  const versions = ["22.19.0", "24.15.9", "24.16.0", "24.21.0", "25.0.0", "25.16.0", "26.0.9", "26.1.0", "27.0.0"];
  expect(versions.filter(isTaken)).toEqual(["24.16.0", "24.21.0", "26.1.0", "27.0.0"]);
});

test("checks for every program that the tenant Worker's commands use", () => {
  const [, tools = ""] = /for tool in ([a-z ]+);/.exec(dockerfile) ?? [];
  const commands = readFileSync(join(directory, "../sandbox/commands.ts"), "utf8");
  const programs = ["cat", "df", "grep", "ls", "mkdir", "rm", "setsid", "sleep", "tail", "tr"];
  expect(tools.split(" ")).toEqual(programs);
  for (const program of programs) expect(commands, program).toMatch(new RegExp(`\\b${program} `));
});

test("runs as a user without rights, who owns nothing but the workspace", () => {
  const steps = dockerfile.split("\n").filter((line) => /^(RUN|COPY|USER|ENTRYPOINT) /.test(line));
  // Nothing is installed or copied as this user.
  expect(steps.at(-2)).toBe("USER node");
  expect(steps.filter((step) => /^(USER|COPY --chown)/.test(step))).toEqual(["USER node"]);
  expect(dockerfile.match(/chown \S+ \S+ \S+/g)).toEqual([
    "chown -R root:root /home/node",
    "chown -R node:node /workspace",
  ]);
  expect(dockerfile).toContain("\nENV HOME=/workspace\n");
  expect(dockerfile).not.toMatch(/chmod \S*(o\+w|a\+w|777|u\+s|g\+s)/);
});

test("has no program with a setuid or setgid bit", () => {
  const [command = "", ...others] = dockerfile.match(/find \/ -xdev .+ \+(?= \\$)/gm) ?? [];
  expect(others).toEqual([]);
  expect(dockerfile.indexOf(command)).toBeGreaterThan(dockerfile.lastIndexOf("apt-get install"));
  const directory = mkdtempSync(join(tmpdir(), "image-test-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const modes = [0o4755, 0o2755, 0o6711, 0o755];
  for (const mode of modes) {
    writeFileSync(join(directory, mode.toString(8)), "");
    chmodSync(join(directory, mode.toString(8)), mode);
  }
  execFileSync("sh", ["-c", command.replace("find /", `find '${directory}'`)]);
  const after = modes.map((mode) => (statSync(join(directory, mode.toString(8))).mode & 0o7777).toString(8));
  expect(after).toEqual(["755", "755", "711", "755"]);
});

test("adds the plug-ins of the lock file after OpenClaw's first run, which removes those that it does not know", () => {
  const [first, added] = ["openclaw --version", "mv node_modules/@openclaw/*"].map((step) => dockerfile.indexOf(step));
  expect(first).toBeGreaterThan(0);
  expect(added).toBeGreaterThan(first ?? 0);
});
