import type { WebhookKind } from "../kinds.ts";
import { readGooglechat, readMsteams } from "./bots.ts";
import { readDiscord } from "./discord.ts";
import type { Reader } from "./event.ts";
import { readLine } from "./line.ts";
import { readMessenger, readWhatsapp } from "./meta.ts";
import { readAny, readGithub, readGitlab, readOpenclaw, readStandard, readStripe } from "./services.ts";
import { readSlack } from "./slack.ts";
import { readTelegram } from "./telegram.ts";

export const READERS: Readonly<Record<WebhookKind, Reader>> = {
  telegram: readTelegram,
  slack: readSlack,
  discord: readDiscord,
  line: readLine,
  whatsapp: readWhatsapp,
  messenger: readMessenger,
  googlechat: readGooglechat,
  msteams: readMsteams,
  github: readGithub,
  gitlab: readGitlab,
  stripe: readStripe,
  "standard-webhooks": readStandard,
  openclaw: readOpenclaw,
  hmac: readAny,
  bearer: readAny,
};
