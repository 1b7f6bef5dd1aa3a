/** Sends a tenant the egress policies of its partner and itself, and its secrets. */
import { egressToPush, recordEgressPushed, recordEgressPushFailed } from "#database/egress/pushes.ts";
import { errorText } from "#domain/errors/catalogue.ts";
import { jobErrors } from "#domain/errors/service/automation-jobs.ts";
import { pushKind } from "./push.ts";

/** Of an order that states nothing. */
const NIL = "00000000-0000-0000-0000-000000000000";

export const pushEgress = pushKind({
  name: "push_egress",
  toPush: egressToPush,
  send: (dispatch, slug, { partner, tenant, revision, secrets }, signal) =>
    dispatch.setEgress(slug, { revision: revision ?? NIL, layers: [partner, tenant], sealed: secrets }, signal),
  recordPushed: (db, { revision }, instanceId) => recordEgressPushed(db, instanceId, revision),
  recordFailed: (db, instanceId, cause) =>
    recordEgressPushFailed(db, instanceId, errorText(jobErrors.egress_not_sent, { cause })),
});
