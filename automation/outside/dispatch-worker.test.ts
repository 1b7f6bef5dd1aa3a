import { afterAll, beforeAll, expect, test } from "vitest";
import { type HttpStandIn, startHttpStandIn } from "../testing/http-stand-in.ts";
import { type DispatchWorker, dispatchWorker } from "./dispatch-worker.ts";

let standIn: HttpStandIn;
let dispatch: DispatchWorker;
let body: unknown;
beforeAll(async () => {
  standIn = await startHttpStandIn(() => body);
  dispatch = dispatchWorker({ DISPATCH_URL: standIn.url, INVALIDATE_TOKEN: "token-of-a-test" });
});
afterAll(() => standIn?.stop());
const { signal } = new AbortController();

test("takes only an empty response for a tenant without a state to back up", async () => {
  body = undefined;
  expect(await dispatch.backUp("acme", signal)).toBeUndefined();
  for (body of [null, {}, "<html>A proxy's page</html>"]) {
    await expect(dispatch.backUp("acme", signal)).rejects.toThrow(
      "The dispatch Worker returned an invalid response for /_backup/acme: ✖ Invalid input",
    );
  }
});

test("names the fault of an invalid response", async () => {
  body = { restored: 1 };
  const order = { discardPresent: false, order: crypto.randomUUID() };
  await expect(dispatch.restore("acme", "b1", order, signal)).rejects.toThrow(
    /for \/_restore\/acme\/b1: ✖ .*expected string.*Deploy the platform's stack with this release\./s,
  );
});
