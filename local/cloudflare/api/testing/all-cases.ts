/** What the kinds' own folders have for the tests of the whole API. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { ApiServer } from "./api-server.ts";
import type { Case } from "./case.ts";

interface OfKind {
  cases: Case[];
  otherCalls?: (server: ApiServer) => Promise<void>;
  knownMismatches?: Readonly<Record<string, string>>;
}

const KINDS = join(import.meta.dirname, "../../kinds");

const found: OfKind[] = await Promise.all(
  readdirSync(KINDS)
    .map((kind) => join(KINDS, kind, "testing/cases.ts"))
    .filter((file) => existsSync(file))
    .map((file) => import(file)),
);

export const cases = found.flatMap((kind) => kind.cases);

/** Calls of the operations that the cases do not come to. */
export const otherCalls = found.flatMap((kind) => kind.otherCalls ?? []);

/** Where the local API differs from what the `cloudflare` package declares, by `METHOD answers|takes PATH: PROBLEM`, each with its reason. */
export const knownMismatches: Readonly<Record<string, string>> = Object.assign(
  {},
  ...found.map((kind) => kind.knownMismatches),
);
