/** The example pipeline, without its host. */
import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { fleetArguments } from "./arguments.ts";

const workflow = z.object({
  jobs: z.record(
    z.string(),
    z.object({
      concurrency: z.object({ group: z.string() }).optional(),
      steps: z.array(z.object({ run: z.string().optional() })),
    }),
  ),
});
/** Stand-in for the fleet's command: records its arguments and exits with `CODE`. */
const NPM = '#!/bin/sh\necho "$@" >> "$ASKED"\nexit "$CODE"\n';

const run = promisify(execFile);
let jobs: z.infer<typeof workflow>["jobs"];
let directory: string;
let clone: string;
let environment: NodeJS.ProcessEnv;
const git = async (...args: string[]) => (await run("git", args, { cwd: clone, env: environment })).stdout.trim();

beforeAll(async () => {
  jobs = workflow.parse(
    parse(await readFile(join(import.meta.dirname, "../docs/examples/pipeline/tenants.yaml"), "utf8")),
  ).jobs;
  directory = await mkdtemp(join(tmpdir(), "pipeline-"));
  clone = join(directory, "clone");
  await mkdir(join(directory, "bin"));
  await writeFile(join(directory, "bin/npm"), NPM);
  await chmod(join(directory, "bin/npm"), 0o755);
  const identity = { NAME: "Ada", EMAIL: "ada@example.test" };
  environment = {
    ...process.env,
    PATH: `${join(directory, "bin")}:${process.env.PATH}`,
    HOME: directory,
    ...Object.fromEntries(
      Object.entries(identity).flatMap(([key, value]) =>
        ["AUTHOR", "COMMITTER"].map((who) => [`GIT_${who}_${key}`, value]),
      ),
    ),
    ASKED: join(directory, "asked"),
    GITHUB_STEP_SUMMARY: join(directory, "summary"),
  };
  await run("git", ["init", "--quiet", "--bare", join(directory, "origin")]);
  await run("git", ["clone", "--quiet", join(directory, "origin"), clone], { env: environment });
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const scripts = (name: string) => (jobs[name]?.steps ?? []).flatMap((step) => step.run ?? []);

test("uses valid commands and options", () => {
  const lines = Object.keys(jobs)
    .flatMap(scripts)
    .flatMap((script) => [...script.matchAll(/fleet -- ([^>\n]*)/g)].map(([, line = ""]) => line.trim().split(/\s+/)));
  expect(lines.map((line) => fleetArguments(line).command)).toEqual(["preview", "up", "drift"]);
  expect(lines.every((line) => fleetArguments(line).format === "markdown")).toBe(true);
});

test("the next run deploys what a failed or skipped run left", async () => {
  const [script = ""] = scripts("up");
  let merges = 0;
  const merge = async () => {
    await git("commit", "--quiet", "--allow-empty", "-m", `Merge ${++merges}`);
    await git("push", "--quiet", "origin", "HEAD");
    return git("rev-parse", "HEAD");
  };
  const up = async (before: string, code: number) => {
    const env = { ...environment, BEFORE: before, CODE: String(code) };
    const ended = await run("bash", ["-e", "-c", script], { cwd: clone, env }).then(
      () => 0,
      (error: { code: number }) => error.code,
    );
    const asked = (await readFile(join(directory, "asked"), "utf8")).trim().split("\n").at(-1);
    return { ended, since: /--since (\w+)/.exec(asked ?? "")?.[1] };
  };
  const [first, second] = [await merge(), await merge()];
  expect(await up(first, 0)).toEqual({ ended: 0, since: first });
  const third = await merge();
  expect(await up(second, 1)).toEqual({ ended: 1, since: second });
  // The run of the third commit failed; the run of the fourth never began.
  const fourth = await merge();
  await merge();
  expect(await up(fourth, 0)).toEqual({ ended: 0, since: second });
  expect(await git("ls-remote", "origin", "refs/tags/tenants-up")).toContain(await git("rev-parse", "HEAD"));
  expect(await up(third, 0)).toEqual({ ended: 0, since: await git("rev-parse", "HEAD") });
});

test("a drift run does not cancel a waiting deployment", () => {
  expect(jobs.drift?.concurrency?.group).not.toBe(jobs.up?.concurrency?.group);
});
