/**
 * A gateway that reports metrics for tests. `POST /export` sends its body, an OTLP export in JSON, to the endpoint in the environment with the
 * headers of `?header=name:value`, and returns the response as `{ status, body }`. `GET /environment` returns OpenTelemetry's variables.
 */
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

const sendJson = (response, value) => response.setHeader("content-type", "application/json").end(JSON.stringify(value));

createServer(async (request, response) => {
  const url = new URL(request.url, "http://gateway");
  if (url.pathname === "/export") {
    const headers = url.searchParams.getAll("header").map((header) => header.split(":"));
    const answer = await fetch(process.env.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT, {
      method: "POST",
      headers: { "content-type": "application/json", ...Object.fromEntries(headers) },
      body: await text(request),
    });
    sendJson(response, { status: answer.status, body: await answer.json() });
  } else if (url.pathname === "/environment") {
    sendJson(response, Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith("OTEL_"))));
  } else sendJson(response, { ok: true, status: "live" });
}).listen(Number(process.env.GATEWAY_PORT), "127.0.0.1");
