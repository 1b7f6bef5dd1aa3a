import { expect, onTestFinished, test, vi } from "vitest";
import type { Channel } from "#workers/contracts/tenant/channels.ts";
import type { ChannelConnection, GatewayWork } from "#workers/contracts/tenant/sandbox.ts";
import { memoryStorage } from "../sleep/testing/memory-storage.ts";
import { SocketChannels } from "./socket-channels.ts";

const IRC: Channel = { kind: "irc", secrets: { password: "sesame" }, settings: {} };
const SLACK: Channel = { kind: "slack-socket", secrets: {} };
const TELEGRAM: Channel = { kind: "telegram", url: "https://hooks.example.com/t", secrets: {} };
const online = (messenger: string, account = "default") => ({ messenger, account, condition: "online" as const });

function open(connected: Channel[], answer: () => Promise<GatewayWork | undefined>, storage = memoryStorage()) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const reportWork = vi.fn(answer);
  const mask = (text: string) => text.replaceAll("sesame", "[secret]");
  const options = { storage, sandbox: { reportWork }, connected: () => connected, mask, waitUntil: () => {} };
  const channels = new SocketChannels(options);
  const status = async (isAwake = true) =>
    (await channels.status(isAwake)).map(({ messenger, account, condition, isOwn }) => [
      `${messenger} ${account}`,
      condition,
      isOwn,
    ]);
  return { channels, status, reportWork, storage };
}

const reporting = (connections: ChannelConnection[]) => async () => ({ busy: false, connections });

test("has the gateway's connections and the platform's channels that it does not report yet", async () => {
  const { status } = open(
    [IRC, SLACK, TELEGRAM],
    reporting([online("irc"), online("irc", "second"), online("whatsapp")]),
  );
  expect(await status()).toEqual([
    ["irc default", "online", true],
    ["irc second", "online", false],
    ["whatsapp default", "online", false],
    ["slack default", "connecting", true],
  ]);
});

test("has the last report while the sandbox sleeps, without a question, also in another object", async () => {
  const failed = { messenger: "matrix", account: "default", condition: "failed" as const, error: "token" };
  const { channels, status, reportWork, storage } = open([IRC], reporting([online("irc"), failed]));
  expect(await channels.failed(true)).toMatchObject([failed]);
  const asleep = [
    ["irc default", "offline_while_asleep", true],
    ["matrix default", "failed", false],
  ];
  expect(await status(false)).toEqual(asleep);
  expect(await open([IRC], reporting([]), storage).status(false)).toEqual(asleep);
  expect(reportWork).toHaveBeenCalledTimes(1);
  expect(await channels.failed(false)).toMatchObject([failed]);
  const none = open([TELEGRAM], reporting([]));
  expect([await none.channels.failed(true), none.reportWork.mock.calls.length]).toEqual([[], 0]);
  const never = open([IRC], reporting([]));
  expect(await never.status(false)).toEqual([["irc default", "offline_while_asleep", true]]);
});

test("has channels that the gateway was started without, also those that receive webhooks", async () => {
  const leftOut = (messenger: string) =>
    ({ messenger, account: "default", condition: "failed", cause: "configuration_rejected" }) as const;
  const { channels, status } = open([IRC, TELEGRAM], reporting([leftOut("telegram"), leftOut("irc"), online("line")]));
  const expected = [
    ["telegram default", "failed", true],
    ["irc default", "failed", true],
  ];
  expect(await status()).toEqual([...expected, ["line default", "online", false]]);
  expect((await status(false)).slice(0, 2)).toEqual(expected);
  expect((await channels.status(false))[0]).toMatchObject({ cause: "configuration_rejected" });
});

test("asks the gateway once for several readers, and again after ten seconds", async () => {
  const { status, reportWork } = open([], reporting([]));
  await Promise.all([status(), status(), status()]);
  vi.advanceTimersByTime(9_999);
  await status();
  expect(reportWork).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  await status();
  expect(reportWork).toHaveBeenCalledTimes(2);
});

test("does not wait for a gateway that is slow, and has its answer the next time", async () => {
  let answer: (work: GatewayWork) => void = () => {};
  const { status } = open([IRC], () => new Promise((resolve) => (answer = resolve)));
  const first = status();
  await vi.advanceTimersByTimeAsync(2_500);
  expect(await first).toEqual([["irc default", "connecting", true]]);
  answer({ busy: false, connections: [online("irc")] });
  await vi.advanceTimersByTimeAsync(0);
  expect(await status()).toEqual([["irc default", "online", true]]);
});

test("has the last report when the gateway fails or does not report connections", async () => {
  const answers = [reporting([online("irc")]), () => Promise.reject(new Error("away")), async () => ({ busy: false })];
  const { status } = open([], () => (answers.shift() ?? reporting([]))());
  for (let count = 0; count < 3; count += 1) {
    expect(await status()).toEqual([["irc default", "online", false]]);
    vi.advanceTimersByTime(10_000);
  }
});

test("stores errors without secrets, and writes unchanged reports once", async () => {
  const failed = { messenger: "irc", account: "default", condition: "failed" as const, error: "bad password sesame" };
  const { channels, storage } = open([IRC], reporting([failed]));
  const put = vi.spyOn(storage, "put");
  expect((await channels.status(true))[0]?.error).toBe("bad password [secret]");
  vi.advanceTimersByTime(10_000);
  await channels.status(true);
  expect(put).toHaveBeenCalledTimes(1);
  await channels.forget();
  expect((await channels.status(false)).map(({ condition }) => condition)).toEqual(["offline_while_asleep"]);
});
