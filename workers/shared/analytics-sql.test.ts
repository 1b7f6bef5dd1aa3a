/** With the local edge's stand-in, and servers that misbehave. */
import { createServer, type RequestListener, type Server } from "node:http";
import { type ApiServer, account_id, startApiServer, writePoint } from "@tenantry/edge/testing/api";
import { listen } from "@tenantry/std/listening";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { AnalyticsSql, AnalyticsSqlError, sqlNumber, sqlText, sqlTime } from "./analytics-sql.ts";

describe("of the local edge", () => {
  let server: ApiServer;
  let sql: AnalyticsSql;
  beforeEach(async () => {
    server = await startApiServer();
    sql = new AnalyticsSql({ apiUrl: server.url, accountId: account_id, token: server.apiToken });
  });
  afterEach(() => server.close());

  test("returns rows as declared", async () => {
    const at = Math.floor(Date.now() / 1000) * 1000;
    writePoint(server.analytics, "weather", { at, index: "zürich", doubles: [1.5], sampleInterval: 7 });
    writePoint(server.analytics, "weather", { at, index: "bern", doubles: [2] });
    const row = z.object({ city: z.string(), n: sqlNumber, warmest: sqlNumber, last: sqlTime });
    const query = `SELECT index1 AS city, SUM(_sample_interval) AS n, MAX(double1) AS warmest, MAX(timestamp) AS last
      FROM weather WHERE index1 = ${sqlText("zürich")} GROUP BY city`;
    expect(await sql.query(query, row)).toEqual([{ city: "zürich", n: 7, warmest: 1.5, last: new Date(at) }]);
    expect(await sql.query("SELECT index1 AS city FROM weather WHERE index1 = ''", z.object({}))).toEqual([]);
  });

  test.each(["it's", "'", "''", "' OR '1' = '1", "'; DROP TABLE weather --", '/* ü\n\t" ` %_ */', "--", "", "𝒳"])(
    "quotes the text %j",
    async (text) => {
      writePoint(server.analytics, "texts", { at: Date.now(), blobs: [text] });
      writePoint(server.analytics, "texts", { at: Date.now(), blobs: ["another"] });
      const query = `SELECT ${sqlText(text)} AS t, count() AS n FROM texts WHERE blob1 = ${sqlText(text)}`;
      expect(await sql.query(query, z.object({ t: z.string(), n: sqlNumber }))).toEqual([{ t: text, n: 1 }]);
    },
  );

  test("refuses ambiguous text", () => {
    for (const text of ["\\", "\\'", "a\\' OR 1=1 --", "\0"])
      expect(() => sqlText(text)).toThrow("must not have a backslash or NUL");
  });

  test("reports the reason of a refusal", async () => {
    writePoint(server.analytics, "weather", { at: Date.now() });
    const asked = sql.query("SELECT uniq(blob1) AS n FROM weather", z.object({}));
    await expect(asked).rejects.toMatchObject({
      status: 422,
      message: "Analytics Engine refused a query (status 422): Input was invalid: unknown function call: uniq",
    });
    const stranger = new AnalyticsSql({ apiUrl: server.url, accountId: account_id, token: "another-token" });
    const refused = await stranger.query("SHOW TABLES", z.object({})).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(AnalyticsSqlError);
    expect(refused).toMatchObject({ status: 403 });
    expect(String(refused)).not.toContain("another-token");
  });

  test("returns no rows of a dataset that does not exist yet, and still refuses an invalid query", async () => {
    const { url: apiUrl, apiToken: token } = server;
    const weather = new AnalyticsSql({ apiUrl, accountId: account_id, token, dataset: "weather" });
    const count = () => weather.query("SELECT count() AS n FROM weather", z.object({ n: sqlNumber }));
    expect(await count()).toEqual([]);
    await expect(sql.query("SELECT count() AS n FROM weather", z.object({}))).rejects.toMatchObject({ status: 422 });
    writePoint(server.analytics, "weather", { at: Date.now() });
    expect(await count()).toEqual([{ n: 1 }]);
    await expect(weather.query("SELECT uniq(blob1) AS n FROM weather", z.object({}))).rejects.toMatchObject({
      status: 422,
    });
  });

  test("reports the position of an invalid row, not its values", async () => {
    const asked = sql.query("SELECT 'hidden' AS n", z.object({ n: sqlNumber }));
    const error = await asked.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "AnalyticsSqlError", message: expect.stringContaining("0.n (") });
    expect(String(error)).not.toContain("hidden");
    await expect(sql.query("SHOW TABLES FORMAT JSONEachRow", z.object({}))).rejects.toThrow("returned unexpected rows");
  });
});

describe("of a server that", () => {
  const token = "the-very-secret-token";
  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  async function asked(listener: RequestListener, timeoutMs = 5_000): Promise<unknown> {
    const started = createServer(listener);
    server = started;
    const port = await listen(started, { port: 0 });
    const apiUrl = `http://127.0.0.1:${port}`;
    const sql = new AnalyticsSql({ apiUrl, accountId: account_id, token, timeoutMs });
    return sql.query("SHOW TABLES", z.object({})).catch((error: unknown) => error);
  }

  test("repeats the token: the error does not contain it", async () => {
    const error = await asked((request, response) =>
      response.writeHead(400).end(`${request.headers.authorization} ${"x".repeat(1e6)}`),
    );
    expect(error).toMatchObject({ status: 400 });
    expect(String(error)).not.toContain(token);
    expect(String(error).length).toBeLessThan(400);
  });

  test("does not respond, or not completely: times out", async () => {
    const late = { name: "AnalyticsSqlError", message: "Analytics Engine did not respond within 50 ms." };
    expect(await asked(() => {}, 50)).toMatchObject(late);
    server?.closeAllConnections();
    expect(await asked((_, response) => response.writeHead(200).write('{"data":['), 50)).toMatchObject(late);
  });

  test("closes the connection, or does not exist: cannot be reached", async () => {
    const failed = { name: "AnalyticsSqlError", message: "Failed to reach Analytics Engine.", status: undefined };
    expect(await asked((request) => request.socket.destroy())).toMatchObject(failed);
    const nobody = new AnalyticsSql({ apiUrl: "http://127.0.0.1:1", accountId: account_id, token });
    await expect(nobody.query("SHOW TABLES", z.object({}))).rejects.toMatchObject(failed);
  });

  test("responds without end: is refused as too large", async () => {
    const piece = "x".repeat(1 << 20);
    const error = await asked((_, response) => {
      const write = () => {
        while (!response.destroyed && response.write(piece));
      };
      response.on("drain", write);
      write();
    });
    expect(error).toMatchObject({ message: "Analytics Engine returned too many rows. Add a LIMIT to the query." });
  });

  test("redirects: is not followed", async () => {
    const paths: unknown[] = [];
    const error = await asked((request, response) => {
      paths.push(request.url);
      response.writeHead(307, { location: "/elsewhere" }).end();
    });
    expect(error).toMatchObject({ name: "AnalyticsSqlError", status: 307 });
    expect(paths).toEqual([`/accounts/${account_id}/analytics_engine/sql`]);
  });
});
