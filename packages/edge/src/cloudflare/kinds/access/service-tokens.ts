import { createHash, randomBytes } from "node:crypto";
import { missing, undocumented } from "@tenantry/std/difference";
import * as z from "zod";
import { currentTimestamp, uuid } from "#account/identifiers.ts";
import { ApiError, apiPart, numberedPage, readBody, recordFinder, successResponse } from "../../api/operations.ts";
import type { AccessServiceTokenRecord } from "./records.ts";
import { invalidAccessRequest, usersOf } from "./rules.ts";

/** A year. */
const DEFAULT_DURATION = "8760h";
const UNIT_S: Readonly<Record<string, number>> = { ns: 1e-9, us: 1e-6, µs: 1e-6, ms: 1e-3, s: 1, m: 60, h: 3600 };
const DURATION = /^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/;

const serviceTokenBody = z.looseObject({
  name: z.string().min(1),
  duration: z.union([z.literal("forever"), z.string().regex(DURATION)]).default(DEFAULT_DURATION),
});

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

function expiryOf(duration: string): string | null {
  if (duration === "forever") return null;
  const parts = [...duration.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g)];
  const seconds = parts.reduce((sum, [, count, unit = ""]) => sum + Number(count) * (UNIT_S[unit] ?? 0), 0);
  return new Date(Date.now() + seconds * 1000).toISOString();
}

// The code of an unknown token is not documented.
const find = recordFinder("access_service_token", 12109, "access.api.error.service_token_not_found");

export const accessServiceTokensApi = apiPart({
  title: "Access service tokens",
  operations: {
    "POST /accounts/:account_id/access/service_tokens": "zeroTrust.access.serviceTokens.create",
    "GET /accounts/:account_id/access/service_tokens": "zeroTrust.access.serviceTokens.list",
    "GET /accounts/:account_id/access/service_tokens/:id": "zeroTrust.access.serviceTokens.get",
    "DELETE /accounts/:account_id/access/service_tokens/:id": "zeroTrust.access.serviceTokens.delete",
  },
  differs: [missing("No rotation."), undocumented("A token that a rule names cannot be deleted.")],
  handlers: ({ limits, store }) => {
    const toResult = ({ secret_sha256: _, created_at: __, updated_at: ___, ...token }: AccessServiceTokenRecord) =>
      token;
    return {
      "POST /accounts/:account_id/access/service_tokens": (call) => {
        const { name, duration } = readBody(call, serviceTokenBody, invalidAccessRequest);
        limits.check("accessServiceTokens", store.list("access_service_token").length + 1);
        const client_secret = randomBytes(32).toString("hex");
        const now = currentTimestamp();
        const token: AccessServiceTokenRecord = {
          id: uuid(),
          name,
          client_id: `${randomBytes(16).toString("hex")}.access`,
          duration,
          expires_at: expiryOf(duration),
          created_at: now,
          updated_at: now,
          secret_sha256: sha256(client_secret),
        };
        store.put("access_service_token", token);
        const { expires_at: _, ...created } = toResult(token);
        return successResponse({ ...created, client_secret });
      },
      "GET /accounts/:account_id/access/service_tokens": ({ query }) => {
        const name = query.get("name");
        const found = store.list("access_service_token").filter((token) => name === null || token.name === name);
        return numberedPage(found.map(toResult), query);
      },
      "GET /accounts/:account_id/access/service_tokens/:id": ({ params }) =>
        successResponse(toResult(find(store, params.id))),
      "DELETE /accounts/:account_id/access/service_tokens/:id": ({ params }) => {
        const token = find(store, params.id);
        const users = usersOf(store, "service_token", token.id);
        if (users.length > 0) {
          const message = `access.api.error.service_token_in_use: used by ${users.join(", ")}`;
          throw new ApiError(400, invalidAccessRequest, message);
        }
        store.delete("access_service_token", token.id);
        return successResponse(toResult(token));
      },
    };
  },
});
