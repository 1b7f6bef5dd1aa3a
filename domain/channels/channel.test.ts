import { expect, test } from "vitest";
import { channelKinds, channelState, freeDoorName, ofBot, tokenFaults } from "./channel.ts";

const VALID = {
  telegram: { token: "123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11" },
  slack: { token: "xoxb-17653672481-19874698323-pdFZKVeTuE8sk7oOcHrzqqgy", secret: "s" },
};

test.each(channelKinds)("accepts a token of %s, and no other text", (kind) => {
  const { token, ...rest } = VALID[kind];
  const faultsOf = (text: string) => tokenFaults(kind, { ...rest, token: text }).map(({ path }) => path);
  expect(faultsOf(token)).toEqual([]);
  for (const wrong of ["", `${token}\n`, `${token.slice(0, 12)}\n${token.slice(12)}`, `${token}?x`, `${token} x`]) {
    expect([wrong, faultsOf(wrong)]).toEqual([wrong, ["token"]]);
  }
  expect(faultsOf(`${token}${"x".repeat(5_000)}`)).toEqual(["token"]);
  expect(faultsOf(`${token}ß`)).toEqual(["token"]);
});

test("requires the secret that the vendor issues, except for another token of the same bot", () => {
  const pathsOf = (...given: Parameters<typeof tokenFaults>) => tokenFaults(...given).map(({ path }) => path);
  const { token } = VALID.slack;
  expect(pathsOf("slack", { token })).toEqual(["secret"]);
  expect(pathsOf("slack", { token, isReplacement: true })).toEqual([]);
  expect(pathsOf("telegram", { ...VALID.telegram, secret: "mine" })).toEqual(["secret"]);
  expect(JSON.stringify(tokenFaults("slack", { token: "shh" }))).not.toContain("shh");
});

test("names the door of a channel after its kind, with the first free number", () => {
  expect(freeDoorName("telegram", [])).toBe("telegram");
  expect(freeDoorName("telegram", ["telegram", "telegram-3"])).toBe("telegram-2");
});

test("derives the state from what is known", () => {
  const at = new Date();
  const none = { fault: null, pushed_at: null, connected_at: null };
  expect(channelState(none)).toBe("pushing");
  expect(channelState({ ...none, pushed_at: at })).toBe("waiting_for_first_message");
  expect(channelState({ ...none, connected_at: at })).toBe("pushing");
  expect(channelState({ ...none, pushed_at: at, connected_at: at })).toBe("connected");
  expect(channelState({ fault: "token_rejected", pushed_at: at, connected_at: at })).toBe("token_rejected");
});

test("inserts the name of a bot as it is", () => {
  expect(ofBot("Write to {bot}.", "$& (@x)")).toBe("Write to $& (@x).");
});
