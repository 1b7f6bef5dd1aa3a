/** Every kind of job that this release carries out. */
import type { JobKind } from "./kind.ts";
import { deleteClientKind } from "./kinds/delete-client.ts";
import { freeze, resume } from "./kinds/follow.ts";
import { invalidate } from "./kinds/invalidate.ts";

const kinds: readonly JobKind[] = [freeze, resume, invalidate, deleteClientKind];

export const jobKinds: ReadonlyMap<string, JobKind> = new Map(kinds.map((kind) => [kind.name, kind]));
