/** What a tenant gets of a channel, encrypted like the secrets of doors. */
import { channel } from "#workers/contracts/tenant/channels.ts";
import { sealingOf } from "./door-secrets.ts";

export const { seal: sealChannel, open: openChannel } = sealingOf("channel", channel);
