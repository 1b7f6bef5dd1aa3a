/** `npm run fleet`. Each command loads its own modules: loading all takes longer than many commands run. */
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import * as z from "zod";
import { type FleetArguments, fleetArguments } from "./arguments.ts";
import { reportedFailure } from "./failure.ts";
import { findTargets, type Target } from "./files/target.ts";
import type { LocalEdge } from "./local-edge.ts";
import type { FleetOptions } from "./options.ts";
import { emptyReport, exitCode, type FleetReport, type StackReport } from "./outcome/report.ts";
import { asMarkdown } from "./printing/markdown.ts";
import { asText } from "./printing/text.ts";
import type { RotateOptions } from "./rotation/options.ts";
import { eachAtMost } from "./runs/bounded.ts";

const environment = z.object({ ENGINE_MEMORY_MIB: z.coerce.number().int().min(128).default(768) });

const asJson = (report: object) => JSON.stringify(report, null, 2);

const printToStderr = (line: string) => process.stderr.write(`${line}\n`);

/** @returns the exit code */
async function main(argv: readonly string[], signal: AbortSignal): Promise<number> {
  const given = fleetArguments(argv);
  const memoryMib = environment.parse(process.env).ENGINE_MEMORY_MIB;
  const edge =
    given.state === undefined ? undefined : await (await import("./local-edge.ts")).openLocalEdge(given.state);
  try {
    const own = Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
    const engine = {
      variables: { ...Object.fromEntries(own), ...edge?.variables },
      platformVariables: edge?.platformVariables ?? (() => ({})),
      memoryMib,
      signal,
      say: printToStderr,
    };
    switch (given.command) {
      case "preview":
      case "up":
      case "drift":
        return await runStacks(given, given.command, engine);
      case "doctor":
        return await runDoctor(given, engine);
      case "preflight":
        return await runPreflight(given, engine);
      case "verify":
        return await runVerify(given, { ...engine, accessToken: edge?.accessToken });
      case "adopt":
      case "release":
      case "move":
        await handOver(given, engine);
        return 0;
      case "call":
        await callApi(given, engine);
        return 0;
      case "rotate":
        await rotateSecret(given, { ...engine, restartLocal: edge?.restartService });
        return 0;
      case "recover": {
        const { recoverStack } = await import("./runs/recover.ts");
        await recoverStack(given.stacks[0] ?? "", { ...engine, force: given.force, onRecovered: printToStderr });
        printToStderr(
          "The state is refreshed. Run up again. To find resources that the run did not record: npm run fleet -- doctor",
        );
        return 0;
      }
      default:
        await changeDatabase(given, engine);
        return 0;
    }
  } finally {
    await edge?.close();
  }
}

async function runDoctor(given: FleetArguments, engine: FleetOptions): Promise<number> {
  const { stacks: platforms, parallel, fix, graceHours } = given;
  const { examinePlatforms } = await import("./doctor/doctor.ts");
  const { doctorAsMarkdown, doctorAsText } = await import("./doctor/printing.ts");
  const { doctorExitCode } = await import("./doctor/report.ts");
  const report = await examinePlatforms({ ...engine, platforms, parallel, fix, graceHours });
  const output = { text: doctorAsText, markdown: doctorAsMarkdown, json: asJson }[given.format](report);
  process.stdout.write(`${output}\n`);
  return doctorExitCode(report, given.detailedExitCode);
}

async function runPreflight(given: FleetArguments, engine: FleetOptions): Promise<number> {
  const { stacks, tenants: directory, format } = given;
  const { preflight } = await import("./preflight/preflight.ts");
  const { checksAsMarkdown, checksAsText } = await import("./preflight/printing.ts");
  const { preflightExitCode } = await import("./preflight/report.ts");
  const report = await preflight({ ...engine, stack: stacks[0] ?? "", directory });
  const output = { text: checksAsText, markdown: checksAsMarkdown, json: asJson }[format](report);
  process.stdout.write(`${output}\n`);
  return preflightExitCode(report);
}

async function runVerify(
  given: FleetArguments,
  engine: FleetOptions & { accessToken: LocalEdge["accessToken"] | undefined },
): Promise<number> {
  const { stacks, platformStack: stack, format } = given;
  const { verify } = await import("./verify/verify.ts");
  const { checksAsMarkdown, checksAsText } = await import("./preflight/printing.ts");
  const { preflightExitCode } = await import("./preflight/report.ts");
  const report = await verify({ ...engine, stack, tenant: stacks[0] });
  const output = { text: checksAsText, markdown: checksAsMarkdown, json: asJson }[format](report);
  process.stdout.write(`${output}\n`);
  return preflightExitCode(report);
}

async function handOver(given: FleetArguments, engine: FleetOptions): Promise<void> {
  const { command, stacks, environment, to = "", tenants: directory } = given;
  const options = { ...engine, slug: stacks[0] ?? "", environment, directory };
  if (command === "adopt") await (await import("./handover/adopt.ts")).adoptTenant(options);
  else if (command === "release") await (await import("./handover/release.ts")).releaseTenant(options);
  else await (await import("./handover/move.ts")).moveTenant({ ...options, to });
}

async function rotateSecret(
  { stacks, platformStack: stack, tenants: directory, parallel, ...given }: FleetArguments,
  engine: FleetOptions & Pick<RotateOptions, "restartLocal">,
): Promise<void> {
  const { rotate } = await import("./rotation/rotate.ts");
  const { provider, service, finish, pauseSeconds } = given;
  const readValue = () => text(process.stdin);
  const options = { ...engine, provider, service, finish, pauseSeconds, stack, directory, parallel, readValue };
  await rotate({ ...options, secret: stacks[0] ?? "" });
}

async function callApi({ stacks: [operation = "", ...values], tenant, wait }: FleetArguments, engine: FleetOptions) {
  const { callOperation } = await import("./call/call.ts");
  const answer = await callOperation({ ...engine, operation, values, tenant, wait });
  if (answer instanceof Response) await pipeline(answer.body ?? [], process.stdout, { end: false });
  else if (answer !== undefined) process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
}

async function changeDatabase(given: FleetArguments, engine: FleetOptions): Promise<void> {
  const { command, platformStack: stack, tenants: directory, keep, asOf, finish } = given;
  const path = resolve(given.stacks[0] ?? "");
  const options = { ...engine, stack, directory };
  if (command === "repair") await (await import("./postgres/repair.ts")).repairDatabase(options);
  else if (command === "dump")
    printToStderr(
      `Dumped the database to ${await (await import("./postgres/dump.ts")).dumpDatabase({ ...options, place: path, keep })}.`,
    );
  else if (finish) await (await import("./postgres/restore-record.ts")).finishRestore(options);
  else if (asOf !== undefined)
    await (await import("./postgres/restore-record.ts")).recordVendorRestore({ ...options, asOf });
  else await (await import("./postgres/restore.ts")).restoreDatabase({ ...options, file: path });
}

type Work = (target: Target) => Promise<StackReport>;

async function runStacks(
  given: FleetArguments,
  command: FleetReport["command"],
  engine: FleetOptions,
): Promise<number> {
  const { since, format, parallel } = given;
  const targets = await findTargets({ directory: given.tenants, since, stacks: given.stacks });
  const present = targets.filter(({ removal }) => !removal);
  const deleted = targets.filter(({ removal }) => removal && command !== "drift");
  const { work, close } = await workOf(command, given, engine);
  const each = (some: Target[]) => eachAtMost(parallel, some, (target) => runStack(target, engine.signal, work));
  try {
    // Removals are last because they cannot be undone.
    const stacks = [...(await each(present)), ...(await each(deleted))];
    const report: FleetReport = { command, since: since ?? null, stacks };
    process.stdout.write(`${{ text: asText, json: asJson, markdown: asMarkdown }[format](report)}\n`);
    return exitCode(report, given.detailedExitCode);
  } finally {
    close();
  }
}

async function workOf(
  command: FleetReport["command"],
  { prices, destroy, withoutSecrets }: FleetArguments,
  engine: FleetOptions,
): Promise<{ work: Work; close: () => void }> {
  const { differenceBy, readPrices } = await import("./outcome/prices.ts");
  const { DEFAULT_PRICES } = await import("#domain/billing/default-prices.ts");
  const list = prices === undefined ? DEFAULT_PRICES : readPrices(prices);
  const difference = differenceBy(list, new Date().toISOString().slice(0, 10));
  if (command === "up") {
    const { stackDeployer } = await import("./runs/deploy.ts");
    return { work: stackDeployer({ ...engine, difference, destroy }), close: () => {} };
  }
  const { Previews } = await import("./runs/previews.ts");
  const previews = new Previews({ ...engine, difference, withoutSecrets });
  const work: Work = (target) => (command === "drift" ? previews.drift(target) : previews.preview(target));
  return { work, close: () => previews.close() };
}

/** Reports a failure of one stack so that the others continue. */
async function runStack(target: Target, signal: AbortSignal, work: Work): Promise<StackReport> {
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
  printToStderr(`${stack}: ${report.fault === null ? "done" : "failed"} in ${seconds} s`);
  return report;
}

/** Removes the heading of a deployment's error: the run may be a preview. */
function faultText(error: unknown): string {
  const message = reportedFailure(error);
  const heading = "The deployment failed:\n";
  return message.startsWith(heading) ? message.slice(heading.length).replaceAll(/^ {2}/gm, "") : message;
}

const ended = new AbortController();
// The current operation completes and is saved.
for (const name of ["SIGINT", "SIGHUP", "SIGTERM"] as const) process.on(name, () => ended.abort());
try {
  process.exitCode = await main(process.argv.slice(2), ended.signal);
} catch (error) {
  printToStderr(reportedFailure(error));
  process.exitCode = 1;
}
