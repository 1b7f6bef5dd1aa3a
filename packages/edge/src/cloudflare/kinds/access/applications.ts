import { randomBytes } from "node:crypto";
import { missing } from "@tenantry/std/difference";
import * as z from "zod";
import { currentTimestamp, uuid } from "#account/identifiers.ts";
import type { EdgeLimits } from "#limits/edge-limits.ts";
import { ApiError, apiPart, numberedPage, readBody, recordFinder, successResponse } from "../../api/operations.ts";
import { dropOwnPolicies, policyReferences, replacePolicies } from "./application-policies.ts";
import type { AccessApplicationRecord } from "./records.ts";
import { invalidAccessRequest } from "./rules.ts";

const destination = z.looseObject({ type: z.string().default("public"), uri: z.string().exactOptional() });
const applicationBody = z.looseObject({
  name: z.string().min(1),
  type: z.literal("self_hosted", "must be self_hosted: no other is supported by the local edge"),
  domain: z.string().min(1).exactOptional(),
  destinations: z.array(destination).exactOptional(),
  session_duration: z.string().default("24h"),
  policies: policyReferences.default([]),
});
type ApplicationBody = z.infer<typeof applicationBody>;

/** Normalizes `host[/path]`: host in lower case, path without a trailing slash. */
function normaliseDomain(domain: string): string {
  const [host = "", ...path] = domain.replace(/^https?:\/\//, "").split("/");
  const rest = path.join("/").replace(/\/+$/, "");
  return rest === "" ? host.toLowerCase() : `${host.toLowerCase()}/${rest}`;
}

function checkLimits(limits: EdgeLimits, { name, destinations = [] }: ApplicationBody, domain: string): void {
  limits.check("accessName", name.length);
  limits.check("accessApplicationDestinations", destinations.length);
  for (const url of [domain, ...destinations.map(({ uri = "" }) => uri)]) {
    limits.check("accessApplicationUrl", url.length);
  }
}

const find = recordFinder("access_application", 11021, "access.api.error.unknown_application");

export const accessApplicationsApi = apiPart({
  title: "Access applications",
  operations: {
    "POST /accounts/:account_id/access/apps": "zeroTrust.access.applications.create",
    "GET /accounts/:account_id/access/apps": "zeroTrust.access.applications.list",
    "GET /accounts/:account_id/access/apps/:id": "zeroTrust.access.applications.get",
    "PUT /accounts/:account_id/access/apps/:id": "zeroTrust.access.applications.update",
    "DELETE /accounts/:account_id/access/apps/:id": "zeroTrust.access.applications.delete",
  },
  differs: [missing("`self_hosted` only, at the account level.")],
  handlers: ({ limits, store }) => {
    const toResult = ({ created_at: _, updated_at: __, ...application }: AccessApplicationRecord) => ({
      ...application,
      policies: application.policies.map(({ id, precedence }) => {
        const { reusable: ___, ...policy } = store.get("access_policy", id) ?? {};
        return { ...policy, precedence };
      }),
    });
    const save = (body: ApplicationBody, stamps: { id: string; aud: string; created_at: string }): Response => {
      const given = body.domain ?? body.destinations?.[0]?.uri;
      if (given === undefined) throw new ApiError(400, invalidAccessRequest, "domain: is required");
      const domain = normaliseDomain(given);
      if (store.list("access_application").some((other) => other.domain === domain && other.id !== stamps.id)) {
        throw new ApiError(409, 11010, "access.api.error.application_already_exists");
      }
      checkLimits(limits, body, domain);
      const known = store.get("access_application", stamps.id);
      if (known === undefined) limits.check("accessApplications", store.list("access_application").length + 1);
      const before = known?.policies ?? [];
      const application: AccessApplicationRecord = {
        self_hosted_domains: [domain],
        destinations: [{ type: "public", uri: domain }],
        ...body,
        ...stamps,
        domain,
        policies: replacePolicies(store, limits, before, body.policies),
        updated_at: currentTimestamp(),
      };
      store.put("access_application", application);
      return successResponse(toResult(application));
    };
    return {
      "POST /accounts/:account_id/access/apps": (call) => {
        const body = readBody(call, applicationBody, invalidAccessRequest);
        return save(body, { id: uuid(), aud: randomBytes(32).toString("hex"), created_at: currentTimestamp() });
      },
      "GET /accounts/:account_id/access/apps": ({ query }) => {
        const is = (field: "name" | "domain" | "aud", one: AccessApplicationRecord) =>
          (query.get(field) ?? one[field]) === one[field];
        const found = store
          .list("access_application")
          .filter((one) => is("name", one) && is("domain", one) && is("aud", one));
        return numberedPage(found.map(toResult), query);
      },
      "GET /accounts/:account_id/access/apps/:id": ({ params }) => successResponse(toResult(find(store, params.id))),
      "PUT /accounts/:account_id/access/apps/:id": (call) => {
        const { id, aud, created_at } = find(store, call.params.id);
        return save(readBody(call, applicationBody, invalidAccessRequest), { id, aud, created_at });
      },
      "DELETE /accounts/:account_id/access/apps/:id": ({ params }) => {
        const { id, policies } = find(store, params.id);
        store.delete("access_application", id);
        dropOwnPolicies(store, policies);
        return successResponse({ id });
      },
    };
  },
});
