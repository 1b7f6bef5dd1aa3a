/** What of the dashboard anyone may reach past Access, and that its live news work as deployed. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Edge } from "../../local/edge.ts";
import { call } from "../testing/http.ts";
import { openEdge, platformSettings, stackOf } from "../testing/platform.ts";

const HOST = "dash.tenantry.localhost";

let edge: Edge;
let close: () => Promise<void>;
let liveToken: string;
beforeAll(async () => {
  ({ edge, close } = await openEdge());
  const stack = await stackOf(edge, platformSettings([]));
  await stack.up();
  liveToken = (await stack.outputs()).liveToken?.value;
});
afterAll(() => close());

test("invitations and the service's news pass without a log-in, and nothing beside them", async () => {
  // Access sends who has to log in to its own pages; the dashboard itself never does.
  const status = async (path: string) => (await call(edge, HOST, path, { headers: { accept: "text/html" } })).status;
  expect(await status("/invitations/unknown")).toBe(404);
  expect(await status("/internal/live")).toBe(401);
  for (const path of [
    "/",
    "/client",
    "/invitationsx",
    "/live",
    "/internal",
    "/internal/liver",
    "/invitations/../client",
  ])
    expect([path, await status(path)]).toEqual([path, 302]);
  const push = (token: string) =>
    call(edge, HOST, "/internal/live", {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({
        last: 1,
        events: [{ id: 1, kind: "a.b", partner_id: null, client_id: null, data: {}, at: new Date().toISOString() }],
      }),
    });
  expect((await push("wrong")).status).toBe(401);
  expect((await push(liveToken)).status).toBe(204);
});
