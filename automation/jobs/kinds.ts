/** Every kind of job that this release carries out. */
import type { JobKind } from "./kind.ts";
import { deleteClientKind } from "./kinds/delete-client.ts";
import { deprovision } from "./kinds/deprovision.ts";
import { freeze, resume } from "./kinds/follow.ts";
import { invalidate } from "./kinds/invalidate.ts";
import { provision } from "./kinds/provision.ts";
import { assignGateway, changePlan } from "./kinds/redeploy.ts";

const kinds: readonly JobKind[] = [
  provision,
  deprovision,
  changePlan,
  assignGateway,
  freeze,
  resume,
  invalidate,
  deleteClientKind,
];

export const jobKinds: ReadonlyMap<string, JobKind> = new Map(kinds.map((kind) => [kind.name, kind]));
