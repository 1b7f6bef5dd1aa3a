import { afterAll, beforeAll, expect, test } from "vitest";
import { RELEASE } from "#domain/release.ts";
import { sessionRoutes } from "#workers/contracts/api/people/session.ts";
import { type ApiUnderTest, startApi } from "../../testing/start-api.ts";

let api: ApiUnderTest;
beforeAll(async () => {
  api = await startApi({ NOTICE: "Work on Sunday." });
});
afterAll(() => api?.stop());

test("returns the user, the partner and the notice of every page", async () => {
  const tell = async (as: "root" | "north") => (await api.call(sessionRoutes.getSession, { as })).body;
  expect(await tell("root")).toEqual({
    user: { id: expect.any(String), email: api.emails.root, name: "Rita", role: "ROOT" },
    partner: null,
    tenant: null,
    environment: "production",
    version: RELEASE,
    platform_domain: "example.test",
    notice: "Work on Sunday.",
  });
  expect(await tell("north")).toMatchObject({
    user: { role: "PARTNER_ROOT" },
    partner: { id: api.partners.north, slug: "north" },
  });
});
