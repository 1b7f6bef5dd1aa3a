import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";

const directory = import.meta.dirname;
const dockerfile = readFileSync(join(directory, "Dockerfile"), "utf8");
const [, copied = ""] = /^COPY (.+) \/opt\/tenantry\/$/m.exec(dockerfile) ?? [];
const files = copied.split(" ");

function imports(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, name = ""] of readFileSync(join(directory, file), "utf8").matchAll(/from "\.\/([^"]+)"/g))
    imports(name, seen);
  return seen;
}

test("contains every script that the tenant Worker runs, with its imports, and no other file", () => {
  const commands = ["commands.ts", "sandbox.ts"].map((name) =>
    readFileSync(join(directory, "../sandbox", name), "utf8"),
  );
  const run = [...commands.join("\n").matchAll(/([a-z-]+\.mjs)/g)].map(([, name = ""]) => name);
  expect(new Set(run)).toEqual(new Set(["start-gateway.mjs", "versions.mjs", "backup.mjs", "restore.mjs", "work.mjs"]));
  const [, first = ""] = /^ENTRYPOINT \["sh", "\/opt\/tenantry\/(.+)"\]$/m.exec(dockerfile) ?? [];
  const openclaw = readdirSync(join(directory, "openclaw")).filter((name) => /(?<!\.test)\.mjs$/.test(name));
  const shared = openclaw.flatMap((name) =>
    [...readFileSync(join(directory, "openclaw", name), "utf8").matchAll(/from "\.\.\/([^"]+)"/g)].map(
      ([, file = ""]) => file,
    ),
  );
  const needed = new Set([first, ...[...run, ...shared].flatMap((name) => [...imports(name)])]);
  expect(files.toSorted()).toEqual([...needed].toSorted());
  for (const file of files) expect(existsSync(join(directory, file)), file).toBe(true);
});

test("keeps OpenClaw in a folder of its own, of which other scripts use two paths only", () => {
  expect(dockerfile).toMatch(/^COPY openclaw \/opt\/tenantry\/openclaw$/m);
  const outside = files.map((file) => readFileSync(join(directory, file), "utf8")).join("\n");
  expect(outside.match(/openclaw\/\S+/g)).toEqual(['openclaw/run.mjs",', 'openclaw/version.mjs",']);
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
