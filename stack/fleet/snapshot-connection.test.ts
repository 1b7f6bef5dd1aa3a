import { once } from "node:events";
import { connect, createServer } from "node:net";
import { fatalError } from "@tenantry/edge/testing/api";
import { listen } from "@tenantry/std/listening";
import { expect, onTestFinished, test } from "vitest";
import { startTestDatabase } from "#database/testing/test-database.ts";
import { readFleetSnapshot } from "./snapshot.ts";

/** First byte of the message that ends a client's connection. */
const TERMINATE = 0x58;

test("a server that stops while the connection is closed does not end the run", async () => {
  const database = await startTestDatabase();
  onTestFinished(() => database.stop());
  const target = new URL(database.url);
  let closing = 0;
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    near.on("data", (chunk) => {
      if (chunk[0] !== TERMINATE) return void far.write(chunk);
      closing += 1;
      near.end(fatalError("57P01", "terminating connection due to administrator command"));
      far.end();
    });
    far.on("data", (chunk) => near.write(chunk));
    for (const socket of [near, far]) socket.on("error", () => undefined);
  });
  const url = new URL(database.url);
  url.port = String(await listen(server, { port: 0 }));
  expect(await readFleetSnapshot(url.href, "production")).toMatchObject({ read: true, empty: false });
  // An unhandled error fails the test run.
  await once(server.close(), "close");
  expect(closing).toBe(1);
});
