/** Command line of `npm run conformance`. */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Case } from "../case.ts";
import { cases } from "../cases.ts";
import { RECORDS } from "../run/record.ts";

export const USAGE = `npm run conformance -- --target edge|account [OPTION…]

  --target edge        starts an edge and runs the cases against it
  --target account     runs the cases against an account, and writes a record to conformance/records/
  --state DIR          edge: state directory of a running edge instead
  --prefix NAME        account: start of the names of everything that is created
  --budget USD         account: refuses to run cases that may cost more
  --yes                account: creates without a question
  --only ID            only this case, or the cases of this product; may be repeated
  --json               prints the outcomes as JSON
  --clean-up JOURNAL   deletes what the run of this journal left, and runs nothing
  --journals DIR       directory of journals (default .conformance)
  --records DIR        directory of records (default conformance/records)
  --help               shows this text

An account needs CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID. CLOUDFLARE_ZONE_ID, CONFORMANCE_IMAGE and
CONFORMANCE_DATABASE_URL add cases: see docs/reference/conformance.md.`;

const PREFIX = /^[a-z][a-z0-9]{2,15}$/;

export interface Arguments {
  target: "edge" | "account";
  state: string | undefined;
  prefix: string;
  /** US dollars; undefined against an edge. */
  budget: number | undefined;
  yes: boolean;
  chosen: readonly Case[];
  json: boolean;
  cleanUp: string | undefined;
  /** Default: the target's. */
  journals: string | undefined;
  records: string;
}

/** A command that cannot be run. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** @returns undefined for `--help` @throws UsageError */
export function parseArguments(args: readonly string[]): Arguments | undefined {
  const values = parse(args);
  if (values.help) return undefined;
  const { target, state } = values;
  if (target !== "edge" && target !== "account") throw new UsageError(`--target must be edge or account.\n\n${USAGE}`);
  if (target === "account" && state !== undefined) throw new UsageError("--state is for --target edge. Omit it.");
  const isNew = target === "account" && values["clean-up"] === undefined;
  return {
    target,
    state: state && resolve(state),
    prefix: prefixOf(values.prefix, isNew),
    budget: isNew ? budgetOf(values.budget) : undefined,
    yes: values.yes,
    chosen: chosenCases(values.only),
    json: values.json,
    cleanUp: values["clean-up"] && resolve(values["clean-up"]),
    journals: values.journals && resolve(values.journals),
    records: resolve(values.records ?? RECORDS),
  };
}

function parse(args: readonly string[]) {
  const text = { type: "string" } as const;
  const flag = { type: "boolean", default: false } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        target: text,
        state: text,
        prefix: text,
        budget: text,
        yes: flag,
        only: { ...text, multiple: true },
        json: flag,
        "clean-up": text,
        journals: text,
        records: text,
        help: flag,
      },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function prefixOf(given: string | undefined, isRequired: boolean): string {
  if (given === undefined) {
    if (isRequired) throw new UsageError("--prefix is missing. Choose one that no other resource of the account has.");
    return "conformance";
  }
  if (!PREFIX.test(given))
    throw new UsageError("--prefix must start with a letter and have 3 to 16 lower-case letters and digits.");
  return given;
}

function budgetOf(given: string | undefined): number {
  if (given === undefined)
    throw new UsageError("--budget is missing. Set the most that the run may cost, in US dollars.");
  const budget = Number(given);
  if (given.trim() === "" || !(budget >= 0)) throw new UsageError("--budget must be a number of US dollars.");
  return budget;
}

function chosenCases(only: readonly string[] | undefined): readonly Case[] {
  if (only === undefined) return cases;
  const isChosen =
    (name: string) =>
    ({ id, product }: Case) =>
      id === name || product.name === name;
  const unknown = only.find((name) => !cases.some(isChosen(name)));
  if (unknown !== undefined)
    throw new UsageError(`--only: there is no case or product ${unknown}. docs/reference/conformance.md lists them.`);
  return cases.filter((one) => only.some((name) => isChosen(name)(one)));
}
