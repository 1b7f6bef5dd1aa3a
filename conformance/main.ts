/** `npm run conformance`: shows whether the edge or an account does what the project relies on. */
import { type Arguments, parseArguments, USAGE, UsageError } from "./command/arguments.ts";
import { checkBudget, confirm, planLines } from "./command/plan.ts";
import { isAllDenied, progressLine, summary } from "./command/print.ts";
import { accountHash, Journal } from "./run/journal.ts";
import type { Outcome } from "./run/outcome.ts";
import { writeRecord } from "./run/record.ts";
import { redactor } from "./run/redact.ts";
import { cleanUp, runCases, skipReason } from "./run/run.ts";
import type { Target } from "./run/scope.ts";
import { type OpenTarget, openAccount, openOwnEdge, openRunningEdge } from "./run/target.ts";

type Placed = Arguments & { journals: string };

const FAILED = 1;
const UNUSABLE = 2;
const CANCELLED = 130;

const say = (line: string) => void process.stderr.write(`${line}\n`);

async function main(args: readonly string[], signal: AbortSignal): Promise<number> {
  const given = parseArguments(args);
  if (given === undefined) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  const { target, warnings, journals, close } = await openTarget(given);
  try {
    for (const warning of warnings) say(warning);
    if (given.cleanUp !== undefined) return (await cleanUpJournal(given.cleanUp, target)) ? 0 : FAILED;
    return await runAgainst(target, { ...given, journals: given.journals ?? journals }, signal);
  } finally {
    await close();
  }
}

function openTarget({ target, state }: Arguments): Promise<OpenTarget> | OpenTarget {
  if (target === "account") return openAccount(process.env);
  return state === undefined ? openOwnEdge() : openRunningEdge(state);
}

async function runAgainst(target: Target, given: Placed, signal: AbortSignal): Promise<number> {
  const { chosen, prefix, budget, journals } = given;
  for (const path of Journal.list(journals)) {
    // Journals of other accounts and of runs in progress stay.
    const left = Journal.read(path);
    if (left.account === accountHash(target.accountId) && !left.isOpen()) await cleanUpJournal(path, target);
  }
  if (budget !== undefined) {
    checkBudget(
      chosen.filter((one) => skipReason(one, target) === undefined),
      budget,
    );
    for (const line of planLines(chosen, target, prefix)) say(line);
    if (!given.yes) await confirm();
  }
  const journal = openJournal(journals, prefix, target);
  let ended = 0;
  const outcomes = await runCases(chosen, {
    target,
    journal,
    signal,
    onCase: (_case, outcome) => {
      ended += 1;
      say(progressLine(outcome, ended, chosen.length));
    },
    onLeft: say,
  });
  const isClean = journal.leftovers().length === 0;
  if (isClean) journal.delete();
  else
    say(
      `Some resources are left. Delete them: npm run conformance -- --target ${given.target} --clean-up ${journal.path}`,
    );
  return report(outcomes, { target, given, isClean, signal });
}

function openJournal(directory: string, prefix: string, target: Target): Journal {
  try {
    return Journal.create(directory, prefix, target.accountId);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new UsageError(`Another run uses the prefix ${prefix}, or its clean-up failed. Choose another --prefix.`);
  }
}

interface Ended {
  target: Target;
  given: Placed;
  isClean: boolean;
  signal: AbortSignal;
}

function report(outcomes: readonly Outcome[], { target, given, isClean, signal }: Ended): number {
  const redact = redactor(target);
  const shown = outcomes.map((one) => (one.message === undefined ? one : { ...one, message: redact(one.message) }));
  process.stdout.write(`${given.json ? JSON.stringify({ cases: shown }, null, 2) : summary(shown)}\n`);
  if (target.kind === "account" && outcomes.length > 0) {
    const date = new Date().toISOString().slice(0, 10);
    say(`Record: ${writeRecord(given.records, date, outcomes, redact)}`);
  }
  if (isAllDenied(outcomes))
    say("No case was permitted. Check that CLOUDFLARE_API_TOKEN is for the account CLOUDFLARE_ACCOUNT_ID.");
  if (signal.aborted) {
    say("The run was cancelled. What it created is deleted.");
    return CANCELLED;
  }
  const hasFailed = outcomes.some(({ status }) => status !== "passed" && status !== "skipped");
  return hasFailed || !isClean ? FAILED : 0;
}

/** @returns whether nothing is left @throws UsageError for a journal of another account */
async function cleanUpJournal(path: string, target: Target): Promise<boolean> {
  const journal = readJournal(path);
  if (journal.account !== accountHash(target.accountId))
    throw new UsageError(`${path} is of another account. Set CLOUDFLARE_ACCOUNT_ID to the account of that run.`);
  const count = journal.leftovers().length;
  const isClean = await cleanUp(journal, target, { onLeft: say });
  if (isClean) {
    journal.delete();
    say(`Deleted what a former run left: ${count} resources of ${path}`);
  }
  return isClean;
}

function readJournal(path: string): Journal {
  try {
    return Journal.read(path);
  } catch (error) {
    throw new UsageError(`Failed to read the journal: ${(error as Error).message}`);
  }
}

const cancelled = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => cancelled.abort());
try {
  process.exitCode = await main(process.argv.slice(2), cancelled.signal);
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = UNUSABLE;
}
