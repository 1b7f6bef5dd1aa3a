import type * as pb from "@pulumi/pulumi/proto/provider_pb.js";
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import type { Failure } from "../check.ts";
import type { Change } from "../diff.ts";
import { type Properties, toStruct } from "../properties.ts";
import type { Difference } from "../resource.ts";

const kinds = proto.PropertyDiff.Kind;
const KIND = { add: kinds.ADD, delete: kinds.DELETE, update: kinds.UPDATE };
const REPLACE_KIND = { add: kinds.ADD_REPLACE, delete: kinds.DELETE_REPLACE, update: kinds.UPDATE_REPLACE };

export function checkResponse(checked: { inputs: Properties; failures: readonly Failure[] }): pb.CheckResponse {
  const response = new proto.CheckResponse();
  response.setInputs(toStruct(checked.inputs));
  for (const failure of checked.failures) {
    const message = new proto.CheckFailure();
    message.setProperty(failure.property);
    message.setReason(failure.reason);
    response.addFailures(message);
  }
  return response;
}

export function diffResponse(difference: Difference): pb.DiffResponse {
  const response = new proto.DiffResponse();
  const { DIFF_SOME, DIFF_NONE } = proto.DiffResponse.DiffChanges;
  response.setChanges(difference.changes.length > 0 ? DIFF_SOME : DIFF_NONE);
  response.setReplacesList(difference.replaces);
  response.setDiffsList([...new Set(difference.changes.map((change: Change) => change.property))]);
  response.setDeletebeforereplace(difference.deleteBeforeReplace);
  response.setHasdetaileddiff(true);
  for (const change of difference.changes) {
    const detail = new proto.PropertyDiff();
    detail.setKind((difference.replaces.includes(change.property) ? REPLACE_KIND : KIND)[change.kind]);
    detail.setInputdiff(true);
    response.getDetaileddiffMap().set(change.path, detail);
  }
  return response;
}
