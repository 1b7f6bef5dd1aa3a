import { expect, test } from "vitest";
import { channelVariables, withChannels } from "./channels.mjs";

const IRC = {
  kind: "irc",
  settings: { server: "ircs://irc.example.org:7000", nick: "claw", channels: "#acme, #help" },
  secrets: { password: "the-server-password" },
};
const MATRIX = {
  kind: "matrix",
  settings: { homeserver: "https://matrix.example.org" },
  secrets: { accessToken: "the-access-token" },
};
const DISCORD = { kind: "discord", secrets: { botToken: "the-discord-token" } };
const SLACK_SOCKET = { kind: "slack-socket", secrets: { botToken: "xoxb-the-bot", appToken: "xapp-the-app" } };
const SLACK = { kind: "slack", url: "https://hooks.example.com/s", secrets: { botToken: "xoxb-the-bot" } };

const reference = (id: string) => ({ source: "env", provider: "tenantry", id: `TENANTRY_${id}` });
/** As the configuration is written: without keys that are undefined. */
const written = <T>(value: T): T => JSON.parse(JSON.stringify(value));

test("configures socket channels without their credentials, which are variables", () => {
  const channels = [IRC, MATRIX, DISCORD, SLACK_SOCKET];
  const { config } = written(withChannels({}, channels, {}));
  expect(config.channels).toEqual({
    irc: {
      ...{ enabled: true, host: "irc.example.org", port: 7000, tls: true },
      ...{ nick: "claw", channels: ["#acme", "#help"] },
    },
    matrix: {
      ...{ enabled: true, homeserver: "https://matrix.example.org", encryption: false },
      accessToken: reference("MATRIX_ACCESS_TOKEN"),
    },
    discord: { enabled: true, token: reference("DISCORD_BOT_TOKEN") },
    slack: {
      ...{ enabled: true, mode: "socket" },
      ...{ botToken: reference("SLACK_BOT_TOKEN"), appToken: reference("SLACK_APP_TOKEN") },
    },
  });
  expect(channelVariables(channels)).toEqual({
    IRC_PASSWORD: "the-server-password",
    TENANTRY_MATRIX_ACCESS_TOKEN: "the-access-token",
    TENANTRY_DISCORD_BOT_TOKEN: "the-discord-token",
    TENANTRY_SLACK_BOT_TOKEN: "xoxb-the-bot",
    TENANTRY_SLACK_APP_TOKEN: "xapp-the-app",
  });
});

test("configures LINE by OpenClaw's own variables, which its configuration cannot refer to", () => {
  const line = { kind: "line", url: "https://hooks.example.com/l", secrets: { channelAccessToken: "the-line-token" } };
  const { config, saved } = written(withChannels({}, [line], {}));
  expect(config.channels).toEqual({ line: { enabled: true, webhookPath: "/line/webhook" } });
  expect(channelVariables([line])).toEqual({ LINE_CHANNEL_ACCESS_TOKEN: "the-line-token" });
  expect(withChannels(config, [], saved)).toEqual({ config: {}, saved: {} });
});

test("keeps the tenant's values under the platform's keys until the channel is disconnected", () => {
  const mine = { dmPolicy: "open", allowFrom: ["*"], nick: "mine", password: "own" };
  const first = written(withChannels({ channels: { irc: mine } }, [IRC], {}));
  expect(first.config.channels?.irc).toMatchObject({ dmPolicy: "open", nick: "claw" });
  expect(first.config.channels?.irc).not.toHaveProperty("password");
  const second = written(withChannels(first.config, [IRC], first.saved));
  expect(second).toEqual(first);
  expect(withChannels(second.config, [], second.saved)).toEqual({ config: { channels: { irc: mine } }, saved: {} });
});

test("disconnects IRC, whose section has no reference that marks it", () => {
  const { config, saved } = written(withChannels({}, [IRC], {}));
  expect(withChannels(config, [], saved)).toEqual({ config: {}, saved: {} });
});

test("changes the transport of a messenger without keys of the other", () => {
  const socket = written(withChannels({}, [SLACK_SOCKET], {}));
  const webhook = written(withChannels(socket.config, [SLACK], socket.saved));
  expect(webhook.config.channels?.slack).toMatchObject({ mode: "http", webhookPath: "/slack/events" });
  expect(webhook.config.channels?.slack).not.toHaveProperty("appToken");
  const again = written(withChannels(webhook.config, [SLACK_SOCKET], webhook.saved));
  expect(again.config).toEqual(socket.config);
});

test.each([
  ["ircs://irc.example.org", 6697, true],
  ["irc://irc.example.org", 6667, false],
  ["ircs://irc.example.org:443", 443, true],
  ["irc://irc.example.org:80", 80, false],
])("connects to the port of %s", (server, port, tls) => {
  const { config } = withChannels({}, [{ ...IRC, settings: { server, nick: "claw" } }], {});
  expect(config.channels?.irc).toMatchObject({ host: "irc.example.org", port, tls });
});

test("passes the address of a stand-in to Discord's plug-in", () => {
  expect(channelVariables([{ ...DISCORD, apiRoot: "http://127.0.0.1:1" }])).toEqual({
    TENANTRY_DISCORD_BOT_TOKEN: "the-discord-token",
    DISCORD_API_URL: "http://127.0.0.1:1/api/v10",
  });
});
