import * as z from "zod";
import { currentTimestamp, uuid } from "#account/identifiers.ts";
import type { Store } from "#account/store.ts";
import type { EdgeLimits } from "#limits/edge-limits.ts";
import { ApiError, validateInput } from "../../api/operations.ts";
import { policyBody, savePolicy } from "./policies.ts";
import type { AccessApplicationRecord } from "./records.ts";
import { checkRules, invalidAccessRequest, rulesOf } from "./rules.ts";

type References = AccessApplicationRecord["policies"];

export const policyReferences = z.array(
  z.union([
    z.string().transform((id) => ({ id, precedence: undefined })),
    z.looseObject({ id: z.string().exactOptional(), precedence: z.int().min(1).exactOptional() }),
  ]),
);

function invalidPolicyError(reason: string): ApiError {
  return new ApiError(400, invalidAccessRequest, `access.api.error.invalid_request: ${reason}`);
}

/**
 * Replaces the application's own policies. @param before policies of the application; own ones of others cannot be referenced
 * @throws ApiError 400 for unknown policies, groups or lists, and for duplicate precedences; nothing is stored then
 */
export function replacePolicies(
  store: Store,
  limits: EdgeLimits,
  before: References,
  given: z.infer<typeof policyReferences>,
): References {
  const planned = given.map((entry, index) => {
    const { id, precedence = index + 1, ...body } = entry;
    const known = id === undefined ? undefined : store.get("access_policy", id);
    if (
      id !== undefined &&
      (known === undefined || (known.reusable === false && !before.some((one) => one.id === id)))
    ) {
      throw invalidPolicyError(`unknown policy ${id}`);
    }
    const isOwn = known === undefined || (known.reusable === false && "include" in body);
    const own = isOwn ? validateInput(body, policyBody, invalidAccessRequest) : undefined;
    if (own !== undefined) checkRules(store, rulesOf(own));
    const rules = rulesOf(own ?? known).length;
    return { id: id ?? uuid(), created_at: known?.created_at ?? currentTimestamp(), precedence, own, rules };
  });
  limits.check(
    "accessApplicationRules",
    planned.reduce((sum, { rules }) => sum + rules, 0),
  );
  if (new Set(planned.map((one) => one.precedence)).size < planned.length) {
    throw invalidPolicyError("policy precedences must be unique");
  }
  for (const { id, created_at, own } of planned) {
    if (own !== undefined) savePolicy(store, own, { id, created_at, reusable: false });
  }
  const after = planned
    .map(({ id, precedence }) => ({ id, precedence }))
    .toSorted((a, b) => a.precedence - b.precedence);
  dropOwnPolicies(
    store,
    before.filter((old) => !after.some((one) => one.id === old.id)),
  );
  return after;
}

/** Deletes the policies that belong to one application only. */
export function dropOwnPolicies(store: Store, policies: References): void {
  for (const { id } of policies) {
    if (store.get("access_policy", id)?.reusable === false) store.delete("access_policy", id);
  }
}
