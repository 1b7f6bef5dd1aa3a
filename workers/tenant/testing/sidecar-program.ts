/**
 * A container's sidecar for workerd, as the first process of its container: ingress on port 39001, and egress to the hosts that the tenant
 * Worker intercepts. The vendor's sidecar intercepts packets; this one maps the hosts to local addresses.
 */
import { lookup } from "node:dns/promises";
import { readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { connectLoopback, startSidecar } from "@tenantry/edge/sidecar";
import { AI_GATEWAY_HOST, METRICS_HOST } from "#workers/contracts/tenant/sandbox.ts";

const HTTP = 80;
const INGRESS = 39_001;
/** The intercepted hosts, by local address. */
const INTERCEPTED = { "127.0.0.1": METRICS_HOST, "127.0.0.2": AI_GATEWAY_HOST };
/** Names of the machine: the one that workerd configures, and that of older versions of Podman. */
const MACHINE = ["host.docker.internal", "host.containers.internal"];
const HOSTS = "/etc/hosts";
const ACCEPTED = /^HTTP\/1\.[01] 200 /;

// The container shares the sidecar's network and hosts. The file is mounted, so it must be written in place.
const lines = Object.entries(INTERCEPTED).map(([address, host]) => `${address} ${host}\n`);
writeFileSync(HOSTS, `${readFileSync(HOSTS, "utf8")}\n${lines.join("")}`);

const addresses = await Promise.allSettled(MACHINE.map((name) => lookup(name)));
const machine = addresses.find((found) => found.status === "fulfilled")?.value.address;

const sidecar = await startSidecar(connectLoopback, { at: { host: "0.0.0.0", port: INGRESS } });

function listenForHost(address: string, host: string): void {
  createServer({ pauseOnConnect: true, allowHalfOpen: true }, (client) => {
    client.on("error", () => client.destroy());
    if (sidecar.egressPort === undefined || machine === undefined) return void client.destroy();
    const worker = connect({ host: machine, port: sidecar.egressPort, allowHalfOpen: true });
    worker.on("error", () => client.destroy());
    client.once("close", () => worker.destroy());
    worker.once("close", () => client.end());
    worker.write(`CONNECT ${host}:${HTTP} HTTP/1.1\r\nhost: ${host}\r\nx-hostname: ${host}\r\n\r\n`);
    let head = Buffer.alloc(0);
    const accept = (bytes: Buffer): void => {
      head = Buffer.concat([head, bytes]);
      const end = head.indexOf("\r\n\r\n");
      if (end < 0) return;
      worker.off("data", accept);
      if (!ACCEPTED.test(head.subarray(0, end + 4).toString("latin1"))) return void client.destroy();
      client.write(head.subarray(end + 4));
      worker.pipe(client);
      client.pipe(worker);
      client.resume();
    };
    worker.on("data", accept);
  }).listen(HTTP, address);
}

for (const [address, host] of Object.entries(INTERCEPTED)) listenForHost(address, host);

process.on("SIGTERM", () => process.exit(0));
