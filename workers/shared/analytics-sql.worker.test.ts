/** The client in workerd. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type ApiServer, account_id, startApiServer, writePoint } from "@tenantry/edge/testing/api";
import { Miniflare } from "@tenantry/edge/workerd";
import { listen } from "@tenantry/std/listening";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleProgram } from "#workers/testing/bundle-program.ts";

let server: ApiServer;
let script: string;
let miniflare: Miniflare | undefined;
const silent = createServer(() => {});

beforeAll(async () => {
  server = await startApiServer();
  script = await bundleProgram("workers/shared/testing/asking-worker.ts");
  await listen(silent, { port: 0 });
});
afterAll(async () => {
  await miniflare?.dispose();
  silent.closeAllConnections();
  silent.close();
  await server.close();
});

/** Returns a Worker's response to a query. */
async function asked(sql: string, API_URL: string, TOKEN = server.apiToken): Promise<unknown> {
  const options = {
    modules: true,
    script,
    compatibilityDate: "2026-07-01",
    bindings: { API_URL, TOKEN, ACCOUNT_ID: account_id },
  };
  if (miniflare === undefined) miniflare = new Miniflare(options);
  else await miniflare.setOptions(options);
  return (await miniflare.dispatchFetch("http://asking.test/", { method: "POST", body: sql })).json();
}

test("returns rows, refusals and timeouts to a Worker", async () => {
  writePoint(server.analytics, "weather", { at: Date.now(), sampleInterval: 5 });
  expect(await asked("SELECT SUM(_sample_interval) AS n FROM weather", server.url)).toEqual([{ n: 5 }]);
  expect(await asked("SELECT median(double1) AS n FROM weather", server.url)).toEqual({
    message: "Analytics Engine refused a query (status 422): Input was invalid: unknown function call: median",
    status: 422,
  });
  expect(await asked("SHOW TABLES", server.url, "another-token")).toMatchObject({ status: 403 });
  const nowhere = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  expect(await asked("SHOW TABLES", nowhere)).toEqual({
    message: "Analytics Engine did not respond within 2000 ms.",
    status: null,
  });
});
