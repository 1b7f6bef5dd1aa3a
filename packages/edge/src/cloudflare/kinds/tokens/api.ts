import { createHash, randomBytes } from "node:crypto";
import { missing } from "@tenantry/std/difference";
import * as z from "zod";
import { currentTimestamp, hexId } from "#account/identifiers.ts";
import { bearerToken } from "../../api/authentication.ts";
import {
  ApiError,
  apiPart,
  numberedPage,
  readBody,
  recordFinder,
  successResponse,
  wholeList,
} from "../../api/operations.ts";
import { ApiTokens, isInForce } from "./api-tokens.ts";
import { permissionGroups } from "./permission-groups.ts";
import type { ApiTokenRecord } from "./record.ts";

const invalid = 400;
const tokenBody = z.looseObject({
  name: z.string().min(1).max(120),
  status: z.enum(["active", "disabled"]).default("active"),
  condition: z.undefined("is not supported by the local edge").optional(),
  policies: z
    .array(
      z.looseObject({
        effect: z.enum(["allow", "deny"]),
        permission_groups: z.array(z.looseObject({ id: z.string() })).min(1),
        resources: z.record(z.string(), z.unknown()),
      }),
    )
    .min(1),
});

/** Cloudflare documents a name that is encoded twice; SDKs encode it once. */
function decodeParameter(text: string | null): string | null {
  try {
    return text === null ? null : decodeURIComponent(text);
  } catch {
    return text;
  }
}

const find = recordFinder("api_token", 1003, "Valid API token not found");

export const tokensApi = apiPart({
  title: "API tokens",
  operations: {
    "GET /user/tokens/verify": "user.tokens.verify",
    "GET /accounts/:account_id/tokens/verify": "accounts.tokens.verify",
    "GET /accounts/:account_id/tokens/permission_groups": "accounts.tokens.permissionGroups.list",
    "POST /accounts/:account_id/tokens": "accounts.tokens.create",
    "GET /accounts/:account_id/tokens": "accounts.tokens.list",
    "GET /accounts/:account_id/tokens/:token_id": "accounts.tokens.get",
    "PUT /accounts/:account_id/tokens/:token_id": "accounts.tokens.update",
    "DELETE /accounts/:account_id/tokens/:token_id": "accounts.tokens.delete",
  },
  differs: [missing("34 of Cloudflare's permission groups, and no conditions such as `request_ip`.")],
  ownToken: ["GET /user/tokens/verify", "GET /accounts/:account_id/tokens/verify"],
  handlers: ({ store, accountId, isOwnToken, limits }) => {
    const tokens = new ApiTokens(store, accountId);
    const named = (body: z.infer<typeof tokenBody>) =>
      body.policies.map((policy) => ({
        ...policy,
        id: hexId(),
        permission_groups: policy.permission_groups.map((given) => {
          const group = permissionGroups.find((one) => one.id === given.id);
          if (group === undefined) throw new ApiError(400, invalid, `Permission group ${given.id} not found`);
          return { id: group.id, name: group.name };
        }),
      }));
    const toResult = ({ value_sha256: _, ...token }: ApiTokenRecord) => token;
    const verified = () => successResponse({ id: "00000000000000000000000000000000", status: "active" });
    return {
      // It knows tokens of users only.
      "GET /user/tokens/verify": ({ headers }) => {
        if (isOwnToken(bearerToken(headers))) return verified();
        throw new ApiError(401, 1000, "Invalid API Token");
      },
      "GET /accounts/:account_id/tokens/verify": ({ headers }) => {
        if (isOwnToken(bearerToken(headers))) return verified();
        const token = tokens.find(headers.get("Authorization"));
        if (token === undefined) throw new ApiError(401, 1000, "Invalid API Token");
        const { id, status, expires_on, not_before } = token;
        const isActive = status === "active" && isInForce(token, Date.now());
        const times = {
          ...(expires_on !== undefined && { expires_on }),
          ...(not_before !== undefined && { not_before }),
        };
        return successResponse({ id, status: isActive || status === "disabled" ? status : "expired", ...times });
      },
      "GET /accounts/:account_id/tokens/permission_groups": ({ query }) => {
        const name = decodeParameter(query.get("name"));
        const scope = query.get("scope");
        return wholeList(
          permissionGroups.filter(
            (group) => (name === null || group.name === name) && (scope === null || group.scopes.includes(scope)),
          ),
        );
      },
      "POST /accounts/:account_id/tokens": (call) => {
        const body = readBody(call, tokenBody, invalid);
        limits.check("accountApiTokens", store.list("api_token").length + 1);
        const value = randomBytes(30).toString("base64url");
        const time = currentTimestamp();
        const token: ApiTokenRecord = {
          ...body,
          id: hexId(),
          policies: named(body),
          value_sha256: createHash("sha256").update(value).digest("hex"),
          issued_on: time,
          modified_on: time,
        };
        store.put("api_token", token);
        return successResponse({ ...toResult(token), value });
      },
      "GET /accounts/:account_id/tokens": ({ query }) => numberedPage(store.list("api_token").map(toResult), query),
      "GET /accounts/:account_id/tokens/:token_id": ({ params }) =>
        successResponse(toResult(find(store, params.token_id))),
      "PUT /accounts/:account_id/tokens/:token_id": (call) => {
        const before = find(store, call.params.token_id);
        const body = readBody(call, tokenBody, invalid);
        const token = { ...before, ...body, id: before.id, policies: named(body), modified_on: currentTimestamp() };
        store.put("api_token", token);
        return successResponse(toResult(token));
      },
      "DELETE /accounts/:account_id/tokens/:token_id": ({ params }) => {
        const { id } = find(store, params.token_id);
        store.delete("api_token", id);
        return successResponse({ id });
      },
    };
  },
});
