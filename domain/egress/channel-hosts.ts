/** Hosts that the gateway needs for its channels, by kind. */
import { type ChannelKind, channelKinds } from "../channels/kinds.ts";
import { type CompiledPolicy, refusalOf } from "./decide.ts";
import { hostOf, sampleOf } from "./hosts.ts";
import { DEFAULT_EGRESS_PORTS, type EgressEntry } from "./policy-types.ts";

/** `other protocol`: the channel does not use HTTP, and a policy that lists hosts ends it. `server`: the host of the channel's own server. */
type Needs = readonly string[] | "other protocol" | "server";

const NEEDS: Readonly<Record<ChannelKind, Needs>> = {
  // https://core.telegram.org/bots/api#making-requests
  telegram: ["api.telegram.org"],
  // https://docs.slack.dev/reference/objects/file-object: `url_private_download`
  slack: ["slack.com", "files.slack.com"],
  // https://docs.slack.dev/apis/events-api/using-socket-mode: the host of the WebSocket is chosen at runtime
  "slack-socket": ["slack.com", "*.slack.com"],
  // https://docs.discord.com/developers/events/gateway: `resume_gateway_url` is another host of discord.gg
  discord: ["discord.com", "*.discord.gg"],
  // https://developers.line.biz/en/reference/messaging-api/#domain-name
  line: ["api.line.me", "api-data.line.me"],
  // https://developers.google.com/identity/protocols/oauth2/service-account#authorizingrequests, and the keys of Google's tokens
  googlechat: ["chat.googleapis.com", "oauth2.googleapis.com", "www.googleapis.com"],
  // https://learn.microsoft.com/azure/bot-service/bot-service-resources-faq-security, and the service URL of Teams
  msteams: ["login.microsoftonline.com", "login.botframework.com", "smba.trafficmanager.net"],
  irc: "other protocol",
  matrix: "server",
};

/** A connected channel. */
export interface EgressChannel {
  readonly kind: ChannelKind;
  /** URL of the channel's own server, of the kinds of {@link ownServerKinds}. */
  readonly server?: string | undefined;
}

/** Kinds whose server the owner of the bot chooses, and that use HTTP. */
export const ownServerKinds: readonly ChannelKind[] = channelKinds.filter((kind) => NEEDS[kind] === "server");

/** A host and its port as a channel reaches it. */
interface ChannelHost {
  /** As entries write it. */
  readonly host: string;
  readonly port: number;
}

const HTTPS_PORT = 443;

/** Returns the hosts that a channel needs; undefined if it needs another protocol than HTTP. A channel whose server is unknown needs none. */
export function channelHosts({ kind, server }: EgressChannel): readonly ChannelHost[] | undefined {
  const needs = NEEDS[kind];
  if (needs === "other protocol") return undefined;
  if (needs !== "server") return needs.map((host) => ({ host, port: HTTPS_PORT }));
  if (server === undefined || !URL.canParse(server)) return [];
  const { hostname, port } = new URL(server);
  return [{ host: hostOf(hostname), port: Number(port || HTTPS_PORT) }];
}

/** Returns the hosts of a channel that a policy refuses. */
export const refusedHosts = (policy: CompiledPolicy, channel: EgressChannel): ChannelHost[] =>
  (channelHosts(channel) ?? []).filter(
    ({ host, port }) => refusalOf(policy, { host: sampleOf(host), port }) !== undefined,
  );

export const entryOf = ({ host, port }: ChannelHost): EgressEntry => ({
  host,
  ...(!DEFAULT_EGRESS_PORTS.has(port) && { ports: [port] }),
});

export const textOfHost = ({ host, port }: ChannelHost): string => (port === HTTPS_PORT ? host : `${host}:${port}`);
