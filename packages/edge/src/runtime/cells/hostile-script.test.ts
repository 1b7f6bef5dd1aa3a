import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { putRoute, putScript } from "../testing/scripts.ts";
import { putDispatch } from "../testing/tenant-script.ts";
import { startTestEdge, type TestEdge } from "../testing/test-edge.ts";

describe("a hostile script", () => {
  let edge: TestEdge;
  beforeAll(async () => {
    edge = await startTestEdge();
    putDispatch(edge);
  });
  afterAll(() => edge.stop());

  const answering = (response: string) => `export default { fetch: () => ${response} };`;

  test.each(["%zz", "made%20up"])("cannot report an exception with the runtime's header (%s)", async (value) => {
    const source = answering(`new Response("fine", { headers: { "x-edge-exception": "${value}", "x-own": "1" } })`);
    putScript(edge.store, { name: "liar", namespace: "tenants", source });
    putScript(edge.store, { name: "own", source });
    putRoute(edge.store, "own.tenantry.test/*", "own");
    for (const host of ["liar.tenantry.test", "own.tenantry.test"]) {
      const answer = await edge.ask(`${host}/`);
      expect([answer.status, answer.body, answer.headers["x-own"]]).toEqual([200, "fine", "1"]);
      expect(answer.headers["x-edge-exception"]).toBeUndefined();
    }
  });

  test("gets 502 for a response that is not HTTP, and the edge continues", async () => {
    putScript(edge.store, {
      name: "garbled",
      namespace: "tenants",
      source: answering(`new Response("x", { headers: { "x-odd": "\\u0001" } })`),
    });
    expect((await edge.ask("garbled.tenantry.test/")).status).toBe(502);
    putScript(edge.store, { name: "good", namespace: "tenants", source: answering(`new Response("good")`) });
    expect((await edge.ask("good.tenantry.test/")).body).toBe("good");
  });
});
