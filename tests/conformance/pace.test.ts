import { createServer } from "node:http";
import { listen } from "@tenantry/std/listening";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openClient } from "#conformance/run/client.ts";
import { type Clock, Pace } from "#conformance/run/pace.ts";

const { signal } = new AbortController();

/** A clock that sleeps at once. */
function fakeClock(): Clock & { slept: number[] } {
  let time = 0;
  const slept: number[] = [];
  return {
    slept,
    now: () => time,
    async sleep(ms) {
      slept.push(ms);
      time += ms;
    },
  };
}

let limited: number;
let apiUrl: string;
const server = createServer((_request, response) => {
  limited -= 1;
  response.setHeader("content-type", "application/json");
  if (limited >= 0) response.writeHead(429, { "retry-after": "7" });
  response.end(JSON.stringify({ success: true, errors: [], messages: [], result: { id: "one", name: "n" } }));
});
beforeAll(async () => {
  const port = await listen(server, { port: 0 });
  apiUrl = `http://127.0.0.1:${port}/client/v4`;
});
afterAll(() => void server.close());

test("sends a request again that was refused by the rate limit, after the time that the response names", async () => {
  limited = 2;
  const clock = fakeClock();
  const client = openClient({ apiUrl, apiToken: "token" }, new Pace(100, clock), signal);
  expect(await client.sdk.accounts.get({ account_id: "a" })).toMatchObject({ id: "one" });
  expect(clock.slept).toEqual([7_000, 7_000]);
  expect([...client.calls]).toEqual(["GET /accounts/a"]);
});

test("waits before a request that exceeds the limit of five minutes", async () => {
  limited = 0;
  const clock = fakeClock();
  const client = openClient({ apiUrl, apiToken: "token" }, new Pace(3, clock), signal);
  for (let n = 0; n < 4; n += 1) await client.request("GET", "/user");
  expect(clock.slept).toEqual([300_000]);
});
