import * as z from "zod";
import { currentTimestamp, uuid } from "#account/identifiers.ts";
import type { Store } from "#account/store.ts";
import { ApiError, apiPart, numberedPage, readBody, successResponse } from "../../api/operations.ts";
import type { AccessPolicyRecord } from "./records.ts";
import { accessRules, checkRules, invalidAccessRequest, rulesOf } from "./rules.ts";

export const policyBody = z.looseObject({
  name: z.string().min(1),
  decision: z.enum(["allow", "deny", "bypass", "non_identity"]),
  include: accessRules.min(1),
  exclude: accessRules.default([]),
  require: accessRules.default([]),
  session_duration: z.string().exactOptional(),
});

/** Stores a policy. @param stamps `reusable: false` for a policy of one application @throws ApiError 400 for an unknown group or list */
export function savePolicy(
  store: Store,
  body: z.infer<typeof policyBody>,
  stamps: { id: string; created_at: string; reusable: boolean },
): AccessPolicyRecord {
  checkRules(store, rulesOf(body));
  const policy: AccessPolicyRecord = { ...body, ...stamps, updated_at: currentTimestamp() };
  store.put("access_policy", policy);
  return policy;
}

export const accessPoliciesApi = apiPart({
  title: "Access policies (reusable)",
  operations: {
    "POST /accounts/:account_id/access/policies": "zeroTrust.access.policies.create",
    "GET /accounts/:account_id/access/policies": "zeroTrust.access.policies.list",
    "GET /accounts/:account_id/access/policies/:id": "zeroTrust.access.policies.get",
    "PUT /accounts/:account_id/access/policies/:id": "zeroTrust.access.policies.update",
    "DELETE /accounts/:account_id/access/policies/:id": "zeroTrust.access.policies.delete",
  },
  handlers: ({ limits, store }) => {
    const applicationsOf = (id: string) =>
      store.list("access_application").filter((application) => application.policies.some((one) => one.id === id));
    const find = (id: string): AccessPolicyRecord => {
      const policy = store.get("access_policy", id);
      if (policy?.reusable !== true) throw new ApiError(404, 12083, "access.api.error.policy_not_found");
      return policy;
    };
    const reusable = () => store.list("access_policy").filter((policy) => policy.reusable === true);
    const toResult = (policy: AccessPolicyRecord) => ({ ...policy, app_count: applicationsOf(policy.id).length });
    return {
      "POST /accounts/:account_id/access/policies": (call) => {
        const body = readBody(call, policyBody, invalidAccessRequest);
        limits.check("accessPolicies", reusable().length + 1);
        return successResponse(
          toResult(savePolicy(store, body, { id: uuid(), created_at: currentTimestamp(), reusable: true })),
        );
      },
      "GET /accounts/:account_id/access/policies": ({ query }) => numberedPage(reusable().map(toResult), query),
      "GET /accounts/:account_id/access/policies/:id": ({ params }) => successResponse(toResult(find(params.id))),
      "PUT /accounts/:account_id/access/policies/:id": (call) => {
        const { id, created_at } = find(call.params.id);
        const body = readBody(call, policyBody, invalidAccessRequest);
        return successResponse(toResult(savePolicy(store, body, { id, created_at, reusable: true })));
      },
      "DELETE /accounts/:account_id/access/policies/:id": ({ params }) => {
        const { id } = find(params.id);
        const users = applicationsOf(id);
        if (users.length > 0) {
          const names = users.map((application) => application.name).join(", ");
          throw new ApiError(400, 12139, `access.api.error.policy_in_use: used by ${names}`);
        }
        store.delete("access_policy", id);
        return successResponse({ id });
      },
    };
  },
});
