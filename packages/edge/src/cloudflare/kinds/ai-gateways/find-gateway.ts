import type { Store } from "#account/store.ts";
import { ApiError } from "../../api/api-error.ts";
import type { AiGatewayRecord } from "./record.ts";

/** @throws ApiError 404 when the gateway does not exist */
export function findGateway(store: Store, id: string): AiGatewayRecord {
  const gateway = store.get("ai_gateway", id);
  if (gateway === undefined) throw new ApiError(404, 7002, "AI Gateway not found");
  return gateway;
}
