import { mkdtemp, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { Store } from "../../account/store.ts";
import type { Destination } from "../../http/relay.ts";
import { EdgeLimits } from "../../limits/edge-limits.ts";
import { CoreProcess } from "../core/core-process.ts";
import { Storage } from "../storage.ts";
import { putScript } from "../testing/scripts.ts";
import { noContainers } from "../testing/test-edge.ts";
import { createScratch, removeScratch } from "../workerd/workerd.ts";

/** Sends a request to the socket of a Worker. */
function sendTo(
  port: number,
  path: string,
  headers: Destination["headers"] = {},
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path: `http://main.tenantry.test${path}`, headers }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
    });
    sent.on("error", reject);
    sent.end();
  });
}

test("rejects requests for files and Worker without the secret of the socket", async () => {
  const directory = await mkdtemp(join(tmpdir(), "edge-test-"));
  const scratch = createScratch();
  const store = new Store(directory);
  const log = () => {};
  const storage = await Storage.start({ directory, scratch, log });
  const script = putScript(store, {
    name: "main",
    source: `export default { fetch: () => new Response("worker") };`,
    files: { "/page.html": { text: "page", type: null } },
  });
  const around = {
    hub: join(directory, "hub.sock"),
    hyperdrive: { connectionString: () => "" },
    frontPort: 9,
    domain: "tenantry.test",
    containers: noContainers,
    limits: new EdgeLimits(),
  };
  const core = await CoreProcess.start([script], { ...around, store, storage, scratch, directory, log });
  onTestFinished(async () => {
    await core.stop("nothing");
    await storage.stop();
    store.close();
    removeScratch(scratch);
    await rm(directory, { recursive: true });
  });
  const as = { url: "http://main.tenantry.test/", headers: {} };
  await core.serve(
    "main",
    async ({ port, headers }) => {
      for (const [path, body] of [
        ["/page", "page"],
        ["/nowhere", "worker"],
      ] as const) {
        expect(await sendTo(port, path, headers)).toEqual({ status: 200, body });
        expect(await sendTo(port, path)).toEqual({ status: 403, body: "Forbidden" });
        expect(await sendTo(port, path, { "x-edge-secret": "guess" })).toEqual({ status: 403, body: "Forbidden" });
      }
    },
    as,
  );
});
