/** `npm run fleet`: tenants as files, for people and pipelines. */
import * as z from "zod";
import { type FleetArguments, fleetArguments } from "./arguments.ts";
import { findTargets, type Target } from "./files/target.ts";
import { DEFAULT_PRICES, differenceBy, readPrices } from "./outcome/prices.ts";
import { emptyReport, exitCode, type FleetReport, type StackReport } from "./outcome/report.ts";
import { asMarkdown } from "./printing/markdown.ts";
import { asText } from "./printing/text.ts";
import { eachAtMost } from "./runs/bounded.ts";
import { Deploy } from "./runs/deploy.ts";
import { Look } from "./runs/look.ts";
import { recover } from "./runs/recover.ts";

const variables = z.object({ ENGINE_MEMORY_MIB: z.coerce.number().int().min(128).default(768) });

const FORMATS = {
  text: asText,
  json: (report: FleetReport) => JSON.stringify(report, null, 2),
  markdown: asMarkdown,
};

interface Engine {
  variables: Readonly<Record<string, string>>;
  memoryMib: number;
  signal: AbortSignal;
}

const say = (line: string) => process.stderr.write(`${line}\n`);

/** @returns the code to end with */
async function main(argv: readonly string[], signal: AbortSignal): Promise<number> {
  const given = fleetArguments(argv);
  const memoryMib = variables.parse(process.env).ENGINE_MEMORY_MIB;
  const { openLocalEdge } = given.state === undefined ? {} : await import("./local-edge.ts");
  const edge = given.state === undefined ? undefined : await openLocalEdge?.(given.state);
  try {
    const own = Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
    const engine = { variables: { ...Object.fromEntries(own), ...edge?.variables }, memoryMib, signal };
    if (given.command !== "recover") return await overStacks(given, given.command, engine);
    await recover(given.stacks[0] ?? "", { ...engine, force: given.force, onRecovered: say });
    say("What there is was read anew. Run up, or npm run fleet -- up.");
    return 0;
  } finally {
    await edge?.close();
  }
}

async function overStacks(given: FleetArguments, command: FleetReport["command"], engine: Engine): Promise<number> {
  const { since, format, parallel } = given;
  const targets = await findTargets({ directory: given.tenants, since, stacks: given.stacks });
  const prices = given.prices === undefined ? DEFAULT_PRICES : readPrices(given.prices);
  const difference = differenceBy(prices, new Date().toISOString().slice(0, 10));
  const look = new Look({ ...engine, difference, withoutSecrets: given.withoutSecrets });
  const deploy = new Deploy({ ...engine, difference, destroy: given.destroy });
  const work = (target: Target) =>
    told(target, () => {
      engine.signal.throwIfAborted();
      if (command === "up") return deploy.up(target);
      return command === "drift" ? look.drift(target) : look.preview(target);
    });
  try {
    // What goes frees what others may want, and is wanted back most of all if another fails: last.
    const stacks = [
      ...(await eachAtMost(
        parallel,
        targets.filter(({ removal }) => !removal),
        work,
      )),
      ...(await eachAtMost(
        parallel,
        targets.filter(({ removal }) => removal && command !== "drift"),
        work,
      )),
    ];
    const report: FleetReport = { command, since: since ?? null, stacks };
    process.stdout.write(`${FORMATS[format](report)}\n`);
    return exitCode(report, given.detailedExitCode);
  } finally {
    look.close();
  }
}

/** One stack's failure is told with it, and keeps no other. */
async function told(target: Target, work: () => Promise<StackReport>): Promise<StackReport> {
  const began = performance.now();
  const report = await (async () => work())().catch(
    (error: unknown): StackReport => ({
      ...emptyReport(target.stack, target.file, target.removal),
      fault: error instanceof Error ? error.message : String(error),
    }),
  );
  say(
    `${target.stack}: ${report.fault === null ? "done" : "failed"} in ${((performance.now() - began) / 1000).toFixed(1)} s`,
  );
  return report;
}

const ended = new AbortController();
// What is under way is finished and saved.
for (const name of ["SIGINT", "SIGHUP", "SIGTERM"] as const) process.on(name, () => ended.abort());
try {
  process.exitCode = await main(process.argv.slice(2), ended.signal);
} catch (error) {
  say((error as Error).message);
  process.exitCode = 1;
}
