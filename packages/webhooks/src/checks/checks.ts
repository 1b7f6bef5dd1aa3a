import type { WebhookKind } from "../kinds.ts";
import type { Check } from "./check.ts";
import { discordCheck } from "./discord.ts";
import { googlechatCheck } from "./googlechat.ts";
import { HMAC_SCHEMES, hmacCheck } from "./hmac.ts";
import { msteamsCheck } from "./msteams.ts";
import { bearerCheck, gitlabCheck, metaCheck, openclawCheck, telegramCheck } from "./tokens.ts";

export const CHECKS: Readonly<Record<WebhookKind, Check>> = {
  telegram: telegramCheck,
  slack: hmacCheck(HMAC_SCHEMES.slack),
  discord: discordCheck,
  line: hmacCheck(HMAC_SCHEMES.line),
  whatsapp: metaCheck(hmacCheck(HMAC_SCHEMES.whatsapp)),
  messenger: metaCheck(hmacCheck(HMAC_SCHEMES.messenger)),
  googlechat: googlechatCheck,
  msteams: msteamsCheck,
  github: hmacCheck(HMAC_SCHEMES.github),
  gitlab: gitlabCheck,
  stripe: hmacCheck(HMAC_SCHEMES.stripe),
  "standard-webhooks": hmacCheck(HMAC_SCHEMES["standard-webhooks"]),
  openclaw: openclawCheck,
  hmac: hmacCheck(HMAC_SCHEMES.hmac),
  bearer: bearerCheck,
};
