import { finder } from "../../api/finder.ts";

export const findGateway = finder("ai_gateway", 7002, "AI Gateway not found");
