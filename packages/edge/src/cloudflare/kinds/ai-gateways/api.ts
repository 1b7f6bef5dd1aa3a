import { missing } from "@tenantry/std/difference";
import * as z from "zod";
import { currentTimestamp } from "#account/identifiers.ts";
import { ApiError, apiPart, numberedPage, readBody, recordFinder, successResponse } from "../../api/operations.ts";
import type { AiGatewayRecord } from "./record.ts";
import { gatewaySettings } from "./settings.ts";

const invalid = 1001;

const newGateway = gatewaySettings.extend({
  id: z.string().regex(/^[a-z0-9_][a-z0-9_-]{0,63}$/, "must be 1 to 64 of a-z, 0-9, - and _"),
});

export const findGateway = recordFinder("ai_gateway", 7002, "AI Gateway not found");

export const aiGatewaysApi = apiPart({
  title: "AI gateways",
  operations: {
    "POST /accounts/:account_id/ai-gateway/gateways": "aiGateway.create",
    "GET /accounts/:account_id/ai-gateway/gateways": "aiGateway.list",
    "GET /accounts/:account_id/ai-gateway/gateways/:id": "aiGateway.get",
    "PUT /accounts/:account_id/ai-gateway/gateways/:id": "aiGateway.update",
    "DELETE /accounts/:account_id/ai-gateway/gateways/:id": "aiGateway.delete",
  },
  differs: [missing("No custom providers, datasets, evaluations or dynamic routes.")],
  handlers: ({ limits, store }) => {
    const save = (body: z.infer<typeof newGateway>, created_at: string): Response => {
      if (typeof body.log_management === "number") limits.check("aiGatewayLogsLeast", body.log_management);
      const gateway: AiGatewayRecord = { ...body, created_at, modified_at: currentTimestamp() };
      store.put("ai_gateway", gateway);
      return successResponse(gateway);
    };
    return {
      "POST /accounts/:account_id/ai-gateway/gateways": (call) => {
        const body = readBody(call, newGateway, invalid);
        if (store.get("ai_gateway", body.id) !== undefined) {
          throw new ApiError(400, 7001, `An AI Gateway with the id ${body.id} already exists`);
        }
        limits.check("aiGateways", store.list("ai_gateway").length + 1);
        return save(body, currentTimestamp());
      },
      "GET /accounts/:account_id/ai-gateway/gateways": ({ query }) => {
        const search = query.get("search") ?? "";
        return numberedPage(
          store.list("ai_gateway").filter((gateway) => gateway.id.includes(search)),
          query,
        );
      },
      "GET /accounts/:account_id/ai-gateway/gateways/:id": ({ params }) =>
        successResponse(findGateway(store, params.id)),
      "PUT /accounts/:account_id/ai-gateway/gateways/:id": (call) => {
        const { id, created_at } = findGateway(store, call.params.id);
        return save({ ...readBody(call, gatewaySettings, invalid), id }, created_at);
      },
      "DELETE /accounts/:account_id/ai-gateway/gateways/:id": ({ params }) => {
        const gateway = findGateway(store, params.id);
        store.delete("ai_gateway", gateway.id);
        return successResponse(gateway);
      },
    };
  },
});
