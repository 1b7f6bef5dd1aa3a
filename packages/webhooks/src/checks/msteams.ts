import * as z from "zod";
import { jsonOf } from "../events/body.ts";
import type { Check } from "./check.ts";
import { type Issuer, verifiedToken } from "./jwt.ts";

const BOT_CONNECTOR: Issuer = {
  keys: "https://login.botframework.com/v1/.well-known/keys",
  names: ["https://api.botframework.com"],
};

const activity = z.object({ serviceUrl: z.string().min(1), channelId: z.string().min(1) });
const endorsed = z.object({ endorsements: z.array(z.string()) });

export const msteamsCheck: Check = async ({ appId = "" }, request, options) => {
  const token = await verifiedToken(request, { issuer: BOT_CONNECTOR, audience: appId }, options);
  if (typeof token === "string") return token;
  const { data } = activity.safeParse(jsonOf(request.body));
  if (!data) return "malformed";
  // Documented as `serviceUrl`; the connector sends `serviceurl`.
  const serviceUrl = token.claims.serviceurl ?? token.claims.serviceUrl;
  if (serviceUrl !== data.serviceUrl) return "signature_wrong";
  const endorsements = endorsed.safeParse(token.key).data?.endorsements ?? [];
  return endorsements.includes(data.channelId) ? undefined : "signature_wrong";
};
