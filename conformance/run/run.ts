/** Runs cases one after the other, and deletes what each created. */
import { setTimeout as delay } from "node:timers/promises";
import Cloudflare from "cloudflare";
import type { Case } from "../case.ts";
import { type Client, openClient } from "./client.ts";
import type { Journal, JournalEntry } from "./journal.ts";
import { failureOf, type Outcome } from "./outcome.ts";
import { Pace } from "./pace.ts";
import { type ResourceKind, removeResource } from "./resources.ts";
import { Scope, type Target } from "./scope.ts";

export interface CaseTrace {
  /** `METHOD /path` of its requests. */
  calls: ReadonlySet<string>;
  /** What it created. */
  owned: ReadonlySet<ResourceKind>;
}

export interface RunOptions {
  target: Target;
  journal: Journal;
  signal: AbortSignal;
  onCase?: (one: Case, outcome: Outcome, did: CaseTrace) => void;
  /** Called with what could not be deleted. */
  onLeft?: (message: string) => void;
}

/** Returns why a case cannot run against a target; undefined if it can. */
export function skipReason({ product, notEmulated }: Case, target: Target): string | undefined {
  if (product.inZone && target.zone === undefined) return "It needs a zone. Set CLOUDFLARE_ZONE_ID.";
  const { variable } = product;
  if (target.kind === "account" && variable !== undefined && !process.env[variable])
    return `It needs ${variable}. Set it.`;
  if (target.kind === "edge" && notEmulated !== undefined) return `The edge does not show it: ${notEmulated}`;
  return undefined;
}

/** @returns an outcome for each case; fewer when the signal aborts the run */
export async function runCases(cases: readonly Case[], options: RunOptions): Promise<Outcome[]> {
  const { target, journal, signal } = options;
  // An edge is nobody else's.
  const pace = target.kind === "edge" ? new Pace(Number.POSITIVE_INFINITY) : new Pace();
  const outcomes: Outcome[] = [];
  for (const one of cases) {
    if (signal.aborted) break;
    const client = openClient(target, pace, signal);
    const scope = new Scope(target, journal, labelOf(one.id), signal);
    const start = performance.now();
    const skipped = skipReason(one, target);
    let ended: Pick<Outcome, "status" | "message"> = { status: "passed" };
    if (skipped !== undefined) ended = { status: "skipped", message: skipped };
    else {
      await one.run(client, scope).catch((error: unknown) => {
        ended = failureOf(one, error);
      });
    }
    const durationMs = Math.round(performance.now() - start);
    await cleanUp(journal, target, { isOwn: true, pace, ...(options.onLeft && { onLeft: options.onLeft }) });
    if (signal.aborted) break;
    const outcome = { id: one.id, ...ended, durationMs, propagationMs: scope.propagation };
    outcomes.push(outcome);
    options.onCase?.(one, outcome, { calls: client.calls, owned: scope.owned });
  }
  return outcomes;
}

/** Letters of the words of an id, for names that have a limit: `r2.second-create` is `r2-sc`. */
export const labelOf = (id: string): string =>
  id.replace(/^([^.]*)[.](.*)$/, (_, product: string, what: string) => `${initials(product)}${initials(what)}`);

const initials = (words: string): string =>
  words
    .split("-")
    .map((word) => word.slice(0, 2))
    .join("");

interface CleanUpOptions {
  /** Default: one of its own. */
  pace?: Pace;
  /** Whether this run created it. Default: false. */
  isOwn?: boolean;
  /** Called with what could not be deleted. */
  onLeft?: (message: string) => void;
}

/** Deletes what a journal names. @returns whether nothing is left */
export async function cleanUp(
  journal: Journal,
  target: Target,
  { pace = new Pace(), isOwn = false, onLeft }: CleanUpOptions = {},
): Promise<boolean> {
  // A cancelled run cleans up too.
  const client = openClient(target, pace, new AbortController().signal);
  let isClean = true;
  for (const entry of journal.leftovers()) {
    if (!journal.covers(entry.name)) continue;
    try {
      await removeWithRetries(client, target, entry);
      journal.settle(entry);
    } catch (error) {
      // A token that cannot delete it could not create it.
      if (isOwn && isDenied(error)) journal.settle(entry);
      else {
        isClean = false;
        onLeft?.(`Failed to delete the ${entry.kind} ${entry.name}: ${(error as Error).message}`);
      }
    }
  }
  return isClean;
}

const isDenied = (error: unknown): boolean =>
  error instanceof Cloudflare.APIError && (error.status === 401 || error.status === 403);

/** Milliseconds: a resource may seem to be in use by one that was just deleted. */
const PAUSES_MS = [1_000, 3_000, 9_000];

async function removeWithRetries(client: Client, target: Target, { kind, name }: JournalEntry): Promise<void> {
  for (const pause of PAUSES_MS) {
    try {
      return await removeResource(client, target, kind, name);
    } catch (error) {
      if (!(error instanceof Cloudflare.APIError) || isDenied(error)) throw error;
    }
    await delay(pause);
  }
  await removeResource(client, target, kind, name);
}
