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

/** Calls the operations that no case covers. */
export const otherCalls = found.flatMap((kind) => kind.otherCalls ?? []);

/** Known differences from the declarations of the `cloudflare` package, by `METHOD answers|takes PATH: PROBLEM`, with reasons. */
export const knownMismatches: Readonly<Record<string, string>> = Object.assign(
  {},
  ...found.map((kind) => kind.knownMismatches),
);
