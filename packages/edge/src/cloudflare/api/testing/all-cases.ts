/** What the kinds' own folders have for the tests of the whole API. */
import { globSync } from "node:fs";
import { join } from "node:path";
import type { ApiServer } from "./api-server.ts";
import type { Case } from "./case.ts";

interface OfKind {
  cases: Case[];
  otherCalls?: (server: ApiServer) => Promise<void>;
  knownMismatches?: Readonly<Record<string, string>>;
}

const found: OfKind[] = await Promise.all(
  globSync(join(import.meta.dirname, "../../kinds/*/testing/cases.ts")).map((file) => import(file)),
);

export const cases = found.flatMap((kind) => kind.cases);

/** Calls of the operations that the cases do not come to. */
export const otherCalls = found.flatMap((kind) => kind.otherCalls ?? []);

/** Where the local API differs from what the `cloudflare` package declares, by `METHOD answers|takes PATH: PROBLEM`, each with its reason. */
export const knownMismatches: Readonly<Record<string, string>> = Object.assign(
  {},
  ...found.map((kind) => kind.knownMismatches),
);
