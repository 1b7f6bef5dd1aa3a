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
  const answer = async (path: string) => {
    const { status, headers } = await call(edge, HOST, path, { headers: { accept: "application/json" } });
    return [path, status, (headers.location ?? "").includes("/cdn-cgi/access/") ? "log-in" : "open"];
  };
  expect(await answer("/invitations/unknown")).toEqual(["/invitations/unknown", 404, "open"]);
  for (const path of ["/", "/client", "/invitationsx", "/live", "/internal", "/internal/liver", "/invitations/../client"])
    expect((await answer(path)).slice(1)).not.toEqual([404, "open"]);
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
