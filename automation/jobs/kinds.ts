/** Every kind of job that this release carries out. */
import type { JobKind } from "./kind.ts";
import { invalidate } from "./kinds/invalidate.ts";

const kinds: readonly JobKind[] = [invalidate];

export const jobKinds: ReadonlyMap<string, JobKind> = new Map(kinds.map((kind) => [kind.name, kind]));
