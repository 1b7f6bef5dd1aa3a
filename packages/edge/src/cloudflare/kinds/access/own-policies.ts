import { missing, undocumented } from "@tenantry/std/difference";
import * as z from "zod";
import { currentTimestamp, uuid } from "#account/identifiers.ts";
import type { Store } from "#account/store.ts";
import { ApiError, apiPart, numberedPage, readBody, recordFinder, successResponse } from "../../api/operations.ts";
import { policyBody, savePolicy } from "./policies.ts";
import type { AccessApplicationRecord, AccessPolicyRecord } from "./records.ts";
import { invalidAccessRequest, rulesOf } from "./rules.ts";

const ownPolicyBody = policyBody.extend({ precedence: z.int().min(1).exactOptional() });

const findApplication = recordFinder("access_application", 11021, "access.api.error.unknown_application");

export const accessApplicationPoliciesApi = apiPart({
  title: "Policies of an Access application",
  operations: {
    "POST /accounts/:account_id/access/apps/:app_id/policies": "zeroTrust.access.applications.policies.create",
    "GET /accounts/:account_id/access/apps/:app_id/policies": "zeroTrust.access.applications.policies.list",
    "GET /accounts/:account_id/access/apps/:app_id/policies/:policy_id": "zeroTrust.access.applications.policies.get",
    "DELETE /accounts/:account_id/access/apps/:app_id/policies/:policy_id":
      "zeroTrust.access.applications.policies.delete",
  },
  differs: [missing("No changes."), undocumented("Without a precedence, a policy is the last one.")],
  handlers: ({ limits, store }) => {
    const ownPolicies = ({ policies }: AccessApplicationRecord) =>
      policies.flatMap(({ id, precedence }) => {
        const policy = store.get("access_policy", id);
        return policy?.reusable === false ? [toResult(policy, precedence)] : [];
      });
    const find = (application: AccessApplicationRecord, id: string) => {
      const policy = ownPolicies(application).find((one) => one.id === id);
      if (policy === undefined) throw new ApiError(404, 12083, "access.api.error.policy_not_found");
      return policy;
    };
    const savePolicies = (application: AccessApplicationRecord, policies: AccessApplicationRecord["policies"]) =>
      store.put("access_application", {
        ...application,
        policies: policies.toSorted((a, b) => a.precedence - b.precedence),
        updated_at: currentTimestamp(),
      });
    return {
      "POST /accounts/:account_id/access/apps/:app_id/policies": (call) => {
        const application = findApplication(store, call.params.app_id);
        const given = readBody(call, ownPolicyBody, invalidAccessRequest);
        const { precedence = lastPrecedence(application) + 1, ...body } = given;
        if (application.policies.some((one) => one.precedence === precedence)) {
          const reason = "access.api.error.invalid_request: policy precedences must be unique";
          throw new ApiError(400, invalidAccessRequest, reason);
        }
        limits.check("accessApplicationRules", rulesOfApplication(store, application) + rulesOf(body).length);
        const policy = savePolicy(store, body, { id: uuid(), created_at: currentTimestamp(), reusable: false });
        savePolicies(application, [...application.policies, { id: policy.id, precedence }]);
        return successResponse(toResult(policy, precedence));
      },
      "GET /accounts/:account_id/access/apps/:app_id/policies": ({ params, query }) =>
        numberedPage(ownPolicies(findApplication(store, params.app_id)), query),
      "GET /accounts/:account_id/access/apps/:app_id/policies/:policy_id": ({ params }) =>
        successResponse(find(findApplication(store, params.app_id), params.policy_id)),
      "DELETE /accounts/:account_id/access/apps/:app_id/policies/:policy_id": ({ params }) => {
        const application = findApplication(store, params.app_id);
        const { id } = find(application, params.policy_id);
        savePolicies(
          application,
          application.policies.filter((one) => one.id !== id),
        );
        store.delete("access_policy", id);
        return successResponse({ id });
      },
    };
  },
});

const toResult = ({ reusable: _, ...policy }: AccessPolicyRecord, precedence: number) => ({ ...policy, precedence });

const lastPrecedence = ({ policies }: AccessApplicationRecord): number =>
  Math.max(0, ...policies.map(({ precedence }) => precedence));

const rulesOfApplication = (store: Store, { policies }: AccessApplicationRecord): number =>
  policies.reduce((sum, { id }) => sum + rulesOf(store.get("access_policy", id)).length, 0);
