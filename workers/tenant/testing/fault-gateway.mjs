/**
 * Faulty gateways. The argument is the mode:
 *   exit    prints a few lines, including the token, and exits with 3
 *   silent  never listens
 *   hang    accepts connections and never responds
 *   drip    sends the headers of /health and never the body
 *   wrong   responds to /health with 200 and a page
 *   break   is healthy; /nothing breaks before the response, /chunked and /sized halfway; /headers returns the received headers, and a header of the
 *           platform
 *   refuse  as break, but refuses to replace its ticket key
 */
import { createServer } from "node:http";
import { createServer as createTcpServer } from "node:net";

const mode = process.argv[2];
const port = Number(process.env.GATEWAY_PORT);
const listen = (server) => server.listen(port, "127.0.0.1");

if (mode === "exit") {
  process.stdout.write(`reading settings\nusing ${process.env.GATEWAY_TOKEN}\ncannot open the database\n`);
  process.exitCode = 3;
}
if (mode === "silent") setInterval(() => {}, 60_000);
if (mode === "hang") listen(createTcpServer(() => {}));
if (mode === "drip" || mode === "wrong" || mode === "break" || mode === "refuse") {
  const server = createServer((request, response) => {
    const path = request.url.split("?")[0];
    if (path === "/health" && mode === "drip") {
      response.writeHead(200, { "content-type": "application/json", "content-length": 11 });
      response.write('{"ok"');
    } else if (path === "/health" && mode === "wrong") {
      response.end("<!doctype html><p>Welcome");
    } else if (path === "/health") {
      response.end('{"ok":true,"status":"live"}');
    } else if (path === "/ticket-key" && mode === "refuse") {
      response.writeHead(403).end();
    } else if (path === "/nothing") {
      request.socket.resetAndDestroy();
    } else if (path === "/chunked" || path === "/sized") {
      response.writeHead(200, path === "/sized" ? { "content-length": 100_000 } : {});
      response.write("x".repeat(1_000), () => setTimeout(() => response.destroy(), 20));
    } else {
      response.setHeader("content-type", "application/json");
      response.setHeader("x-platform-cut-at", "1");
      response.end(JSON.stringify(request.headers));
    }
  });
  listen(server);
}
