/** `npm run fleet`: tenants as files, for people and pipelines. Each command loads its own modules: to load all takes longer than many run. */
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import * as z from "zod";
import { type FleetArguments, fleetArguments } from "./arguments.ts";
import { failureText } from "./failure.ts";
import { findTargets, type Target } from "./files/target.ts";
import type { MoveOptions } from "./hand-over/move.ts";
import { emptyReport, exitCode, type FleetReport, type StackReport } from "./outcome/report.ts";
import type { DumpOptions } from "./postgres/dump.ts";
import { asMarkdown } from "./printing/markdown.ts";
import { asText } from "./printing/text.ts";
import type { RotateOptions } from "./rotation/options.ts";
import { eachAtMost } from "./runs/bounded.ts";

const variables = z.object({ ENGINE_MEMORY_MIB: z.coerce.number().int().min(128).default(768) });

const asJson = (report: object) => JSON.stringify(report, null, 2);

const FORMATS = {
  text: asText,
  json: asJson,
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
    if (given.command === "doctor") return await doctor(given, engine);
    if (given.command === "adopt" || given.command === "release" || given.command === "move") {
      await handOver(given, { ...engine, platformVariables: edge?.platformVariables ?? (() => ({})) });
      return 0;
    }
    const platformVariables = edge?.platformVariables ?? (() => ({}));
    if (given.command === "dump" || given.command === "restore") {
      await dumpOrRestore(given, { ...engine, platformVariables });
      return 0;
    }
    if (given.command === "repair") {
      const { repair } = await import("./postgres/repair.ts");
      await repair({ ...engine, stack: given.rotation.stack, directory: given.tenants, platformVariables, say });
      return 0;
    }
    if (given.command === "rotate") {
      await rotateSecret(given, { ...engine, platformVariables, restartLocal: edge?.restartService });
      return 0;
    }
    if (given.command !== "recover") return await overStacks(given, given.command, engine);
    const { recover } = await import("./runs/recover.ts");
    await recover(given.stacks[0] ?? "", { ...engine, force: given.force, onRecovered: say });
    say(
      "What there is was read anew. Run up, or npm run fleet -- up; what was made and nobody recorded tells npm run fleet -- doctor.",
    );
    return 0;
  } finally {
    await edge?.close();
  }
}

/** What was found, or done, is told; how it goes too. */
async function doctor(given: FleetArguments, engine: Engine): Promise<number> {
  const { stacks: platforms, parallel, fix, graceHours } = given;
  const { examine } = await import("./doctor/doctor.ts");
  const { doctorAsMarkdown, doctorAsText } = await import("./doctor/printing.ts");
  const { doctorExitCode } = await import("./doctor/report.ts");
  const report = await examine({ ...engine, platforms, parallel, fix, graceHours, say });
  const text = { text: doctorAsText, markdown: doctorAsMarkdown, json: asJson }[given.format](report);
  process.stdout.write(`${text}\n`);
  return doctorExitCode(report, given.detailedExitCode);
}

/** Gives one tenant to somebody else. */
async function handOver(given: FleetArguments, engine: Engine & Pick<MoveOptions, "platformVariables">): Promise<void> {
  const { command, stacks, environment, to = "", tenants: directory } = given;
  const options = { ...engine, slug: stacks[0] ?? "", environment, directory, say };
  if (command === "adopt") await (await import("./hand-over/adopt.ts")).adopt(options);
  else if (command === "release") await (await import("./hand-over/release.ts")).release(options);
  else await (await import("./hand-over/move.ts")).move({ ...options, to });
}

async function rotateSecret(
  { stacks, rotation, tenants: directory, parallel }: FleetArguments,
  engine: Engine & Pick<RotateOptions, "platformVariables" | "restartLocal">,
): Promise<void> {
  const { rotate } = await import("./rotation/rotate.ts");
  const readValue = () => text(process.stdin);
  await rotate({ ...engine, ...rotation, secret: stacks[0] ?? "", directory, parallel, readValue, say });
}

async function dumpOrRestore(
  { command, stacks, rotation, tenants: directory }: FleetArguments,
  engine: Engine & Pick<DumpOptions, "platformVariables">,
): Promise<void> {
  const { stack, keep, asOf, finish } = rotation;
  const path = resolve(stacks[0] ?? "");
  const options = { ...engine, stack, directory, say };
  if (finish) await (await import("./postgres/restore-record.ts")).finishRestore(options);
  else if (asOf !== undefined)
    await (await import("./postgres/restore-record.ts")).recordVendorRestore({ ...options, asOf });
  else if (command === "restore") await (await import("./postgres/restore.ts")).restore({ ...options, file: path });
  else say(`The dump is ${await (await import("./postgres/dump.ts")).dump({ ...options, place: path, keep })}.`);
}

async function overStacks(given: FleetArguments, command: FleetReport["command"], engine: Engine): Promise<number> {
  const { since, format, parallel } = given;
  const targets = await findTargets({ directory: given.tenants, since, stacks: given.stacks });
  const present = targets.filter(({ removal }) => !removal);
  // What went needs no look at what was done to it by hand.
  const deleted = targets.filter(({ removal }) => removal && command !== "drift");
  const { work, close } = await verb(command, given, engine);
  const each = (some: Target[]) => eachAtMost(parallel, some, (target) => told(target, engine.signal, work));
  try {
    // What is hardest to take back comes last.
    const report: FleetReport = {
      command,
      since: since ?? null,
      stacks: [...(await each(present)), ...(await each(deleted))],
    };
    process.stdout.write(`${FORMATS[format](report)}\n`);
    return exitCode(report, given.detailedExitCode);
  } finally {
    close();
  }
}

type Work = (target: Target) => Promise<StackReport>;

async function verb(
  command: FleetReport["command"],
  { prices, destroy, withoutSecrets }: FleetArguments,
  engine: Engine,
): Promise<{ work: Work; close: () => void }> {
  const { differenceBy, readPrices } = await import("./outcome/prices.ts");
  const { DEFAULT_PRICES } = await import("#domain/billing/default-prices.ts");
  const list = prices === undefined ? DEFAULT_PRICES : readPrices(prices);
  const difference = differenceBy(list, new Date().toISOString().slice(0, 10));
  if (command === "up") {
    const { Deploy } = await import("./runs/deploy.ts");
    const deploy = new Deploy({ ...engine, difference, destroy });
    return { work: (target) => deploy.up(target), close: () => {} };
  }
  const { Look } = await import("./runs/look.ts");
  const look = new Look({ ...engine, difference, withoutSecrets });
  const work: Work = (target) => (command === "drift" ? look.drift(target) : look.preview(target));
  return { work, close: () => look.close() };
}

/** One stack's failure is told with it, and keeps no other. */
async function told(target: Target, signal: AbortSignal, work: Work): Promise<StackReport> {
  const { stack, file, removal } = target;
  const began = performance.now();
  let report: StackReport;
  try {
    signal.throwIfAborted();
    report = await work(target);
  } catch (error) {
    report = { ...emptyReport(stack, file, removal), fault: faultText(error) };
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  say(`${stack}: ${report.fault === null ? "done" : "failed"} in ${seconds} s`);
  return report;
}

/** Without the heading that a deployment's has: this may be none. */
function faultText(error: unknown): string {
  const text = failureText(error);
  const heading = "The deployment failed:\n";
  return text.startsWith(heading) ? text.slice(heading.length).replaceAll(/^ {2}/gm, "") : text;
}

const ended = new AbortController();
// What is under way is finished and saved.
for (const name of ["SIGINT", "SIGHUP", "SIGTERM"] as const) process.on(name, () => ended.abort());
try {
  process.exitCode = await main(process.argv.slice(2), ended.signal);
} catch (error) {
  say(failureText(error));
  process.exitCode = 1;
}
