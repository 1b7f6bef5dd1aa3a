import type { JobKind } from "./kind.ts";
import { adoptVersion } from "./kinds/adopt-version.ts";
import { assignGateway } from "./kinds/assign-gateway.ts";
import { changePlan } from "./kinds/change-plan.ts";
import { deleteClientKind } from "./kinds/delete-client.ts";
import { deprovision } from "./kinds/deprovision.ts";
import { finalBackup } from "./kinds/final-backup.ts";
import { freeze, resume } from "./kinds/follow.ts";
import { invalidate } from "./kinds/invalidate.ts";
import { provision } from "./kinds/provision.ts";
import { pushChannels } from "./kinds/pushes/push-channels.ts";
import { pushEgress } from "./kinds/pushes/push-egress.ts";
import { pushProviderKeys } from "./kinds/pushes/push-provider-keys.ts";
import { redeploy } from "./kinds/redeploy.ts";
import { restoreBackup } from "./kinds/restore-backup.ts";
import { rotateToken } from "./kinds/rotate-token.ts";

const kinds: readonly JobKind[] = [
  provision,
  deprovision,
  changePlan,
  assignGateway,
  rotateToken,
  adoptVersion,
  freeze,
  resume,
  finalBackup,
  restoreBackup,
  invalidate,
  redeploy,
  pushChannels,
  pushProviderKeys,
  pushEgress,
  deleteClientKind,
];

export const jobKinds: ReadonlyMap<string, JobKind> = new Map(kinds.map((kind) => [kind.name, kind]));
