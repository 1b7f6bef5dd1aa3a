import * as cloudflare from "@pulumi/cloudflare";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ProviderServer } from "../../../provider/host/server.ts";
import { changed, type TestStack, testStack } from "../../../provider/testing/test-stack.ts";
import { type ApiServer, account_id, domain, startApiServer, zone_id } from "../../api/testing/api-server.ts";
import { pluginEnvironment, startProviders } from "../providers.ts";
import { everyKind } from "../testing/every-kind.ts";

let api: ApiServer;
let server: ProviderServer;
let stack: TestStack;

beforeAll(async () => {
  api = await startApiServer();
  server = await startProviders();
  stack = await testStack(pluginEnvironment(server));
  await stack.stack.setAllConfig({
    "cloudflare:baseUrl": { value: api.url },
    "cloudflare:apiToken": { value: api.apiToken, secret: true },
  });
}, 60_000);

afterAll(async () => {
  await stack?.dispose();
  await server?.stop();
  await api?.close();
});

describe("every kind of Cloudflare through the engine", () => {
  test("first run, no-op", async () => {
    stack.program(everyKind());
    const first = await stack.stack.up();
    expect(changed(first)).toEqual({ create: 18 });
    const again = await stack.stack.up();
    expect(changed(again)).toEqual({ same: 18 });
    const ref = await stack.stack.refresh();
    console.log(ref.stdout);
    expect(changed(await stack.stack.up())).toEqual({ same: 18 });
    stack.program(everyKind({ edition: 2 }));
    const u = await stack.stack.up();
    console.log(u.stdout);
    console.log((await stack.stack.refresh()).stdout);
    stack.program(everyKind({ edition: 2, bucket: "other" }));
    console.log((await stack.stack.up()).stdout);
    console.log((await stack.stack.destroy()).stdout);
  }, 60_000);
});
