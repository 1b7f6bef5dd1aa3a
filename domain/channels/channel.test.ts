import { expect, test } from "vitest";
import { channelState, freeDoorName, ofBot, valueFaults, valuesFor } from "./channel.ts";
import { type ChannelKind, type ChannelValues, channelKinds, fieldsOf, messengerOf, webhookKindOf } from "./kinds.ts";

const SLACK = "xoxb-17653672481-19874698323-pdFZKVeTuE8sk7oOcHrzqqgy";
const VALID: Readonly<Record<ChannelKind, ChannelValues>> = {
  telegram: { token: "123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11" },
  slack: { token: SLACK, secret: "s" },
  "slack-socket": { token: SLACK, app_token: "xapp-1-A0123456789-1234567890-abcdef" },
  discord: { token: "MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs" },
  line: { token: `${"bNl4YEFPI/hjFWhTqexp4MuEw5YPs".repeat(6)}=`, secret: "0123456789abcdef0123456789abcdef" },
  googlechat: {
    service_account: JSON.stringify({ type: "service_account", private_key: `-----BEGIN\n${"x".repeat(100)}` }),
    project_number: "123456789012",
  },
  msteams: {
    token: "abc8Q~client.secret-of-the-app_1234567890",
    app_id: "8a9e2c1b-0000-4000-8000-0123456789ab",
    tenant_id: "8A9E2C1B-0000-4000-8000-0123456789AC",
  },
  irc: { server: "ircs://irc.example.org:6697", nick: "claw[bot]", channels: "#acme, #help", password: "p:w" },
  matrix: { homeserver: "https://matrix.example.org", token: "syt_YWNtZQ_abc.def-123" },
};

const faultsOf = (...given: Parameters<typeof valueFaults>) => valueFaults(...given).map(({ path }) => path);

test.each(channelKinds)("accepts values of %s, and no others", (kind) => {
  expect(faultsOf(kind, VALID[kind])).toEqual([]);
  for (const [name, { place }] of fieldsOf(kind)) {
    const value = VALID[kind][name] ?? "";
    const wrong = ["", `${value}\n`, `${value.slice(0, 12)}\n${value.slice(12)}`, `${value}${"x".repeat(5_000)}`];
    if (place === "secrets") wrong.push(`${value} x`, `${value}ß`);
    for (const text of wrong) expect([text, faultsOf(kind, { ...VALID[kind], [name]: text })]).toEqual([text, [name]]);
  }
});

test("refuses addresses that are no server's, and text that would end a line of IRC", () => {
  const servers = [
    "irc.example.org",
    "https://irc.example.org",
    "ircs://u:p@irc.example.org",
    "ircs://h/x",
    "ircs://h:0",
    // No URL can hold these.
    "ircs://h:65536",
    "ircs://192.0.2.256",
    "ircs://1.2.3.4.5",
  ];
  for (const server of servers)
    expect([server, faultsOf("irc", { ...VALID.irc, server })]).toEqual([server, ["server"]]);
  for (const channels of ["acme", "#a b", "#a,", "#a:b"])
    expect(faultsOf("irc", { ...VALID.irc, channels })).toEqual(["channels"]);
  for (const nick of ["1st", "a b", "a:b"]) expect(faultsOf("irc", { ...VALID.irc, nick })).toEqual(["nick"]);
  const homeservers = [
    "http://matrix.example.org",
    "https://matrix.example.org/path",
    "https://u@h",
    "https://192.0.2.256",
    "https://matrix.example.org:65536",
    "matrix.example.org",
  ];
  for (const homeserver of homeservers) {
    expect(faultsOf("matrix", { ...VALID.matrix, homeserver })).toEqual(["homeserver"]);
  }
});

test("requires what is not optional, except for other values of the same bot, and refuses what a kind does not have", () => {
  const { token } = VALID.slack;
  expect(faultsOf("slack", { token })).toEqual(["secret"]);
  expect(faultsOf("slack", { token }, true)).toEqual([]);
  expect(faultsOf("telegram", { ...VALID.telegram, secret: "mine" })).toEqual(["secret"]);
  expect(faultsOf("irc", { server: "irc://localhost", nick: "bot" })).toEqual([]);
  expect(JSON.stringify(valueFaults("slack", { token: "shh" }))).not.toContain("shh");
});

test("puts values where they belong", () => {
  expect(valuesFor("slack", VALID.slack, "door")).toEqual({ signingSecret: "s" });
  expect(valuesFor("slack", VALID.slack, "secrets")).toEqual({ botToken: SLACK });
  expect(valuesFor("irc", VALID.irc, "secrets")).toEqual({ password: "p:w" });
  expect(Object.keys(valuesFor("irc", VALID.irc, "settings"))).toEqual(["server", "nick", "channels"]);
});

test("has one messenger for two transports, of which one works while a tenant sleeps", () => {
  expect([messengerOf("slack"), messengerOf("slack-socket"), messengerOf("irc")]).toEqual(["slack", "slack", "irc"]);
  expect([webhookKindOf("slack"), webhookKindOf("irc"), webhookKindOf("whatsapp")]).toEqual([
    "slack",
    undefined,
    undefined,
  ]);
});

test("names the door of a channel after its messenger, with the first free number", () => {
  expect(freeDoorName("telegram", [])).toBe("telegram");
  expect(freeDoorName("telegram", ["telegram", "telegram-3"])).toBe("telegram-2");
});

test("derives the state from what is known", () => {
  const at = new Date();
  const none = { kind: "telegram", fault: null, pushed_at: null, connected_at: null } as const;
  expect(channelState(none)).toBe("pushing");
  expect(channelState({ ...none, pushed_at: at })).toBe("waiting_for_first_message");
  expect(channelState({ ...none, connected_at: at })).toBe("pushing");
  expect(channelState({ ...none, pushed_at: at, connected_at: at })).toBe("connected");
  expect(channelState({ ...none, fault: "token_rejected", pushed_at: at, connected_at: at })).toBe("token_rejected");
  expect(channelState({ ...none, kind: "irc" })).toBe("pushing");
  expect(channelState({ ...none, kind: "irc", pushed_at: at })).toBe("sent");
});

test("inserts the name of a bot as it is", () => {
  expect(ofBot("Write to {bot}.", "$& (@x)")).toBe("Write to $& (@x).");
});
