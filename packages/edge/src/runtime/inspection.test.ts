import { freePort } from "@tenantry/std/free-port";
import { expect, onTestFinished, test, vi } from "vitest";
import { putRoute, putScript } from "./testing/scripts.ts";
import { startTestEdge } from "./testing/test-edge.ts";
import { inspectorPort } from "./workerd/inspection.ts";

test("opens an inspector for the Worker that EDGE_INSPECT names", async () => {
  const port = await freePort();
  vi.stubEnv("EDGE_INSPECT", `app:${port}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const edge = await startTestEdge();
  onTestFinished(() => edge.stop());
  putScript(edge.store, { name: "app", source: 'export default { fetch: () => new Response("hello") };' });
  putRoute(edge.store, "app.tenantry.test/*", "app");
  expect((await edge.ask("app.tenantry.test/")).body).toBe("hello");
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as { webSocketDebuggerUrl: string }[];
  expect(targets.map(({ webSocketDebuggerUrl }) => webSocketDebuggerUrl)).toContainEqual(
    expect.stringMatching(/^ws:.*\/core:user:app$/),
  );
});

test("opens no inspector for other Workers", () => {
  expect(inspectorPort(["other"], "app")).toBeUndefined();
  expect(inspectorPort(["app"], undefined)).toBeUndefined();
  expect(inspectorPort(["other", "app"], "app")).toBe(9229);
});
