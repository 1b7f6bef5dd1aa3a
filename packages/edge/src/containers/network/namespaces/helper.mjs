/**
 * Creates sockets in the network namespace of a container, sends them to the engine, which uses them from outside, and ends: a process that
 * stays would take several megabytes for each container.
 *
 *   node helper.mjs PORTS SOCKETS
 *
 * PORTS are the ports to bind on all addresses, with commas, unless EVERY_PORT_SOCKET is the number of a socket for every port. Port 53 is bound on
 * loopback, also for UDP. SOCKETS is a number of sockets that the engine connects to servers of the container.
 */
import { createSocket } from "node:dgram";
import { once } from "node:events";

// Internal, but the only way to create a socket without connecting or listening. `container-network.test.ts` fails when it changes.
const { TCP, constants } = process.binding("tcp_wrap");
const DNS_PORT = 53;

const [, , ports = "", sockets = "0"] = process.argv;
// Else this process would end while it waits until the engine has received a socket.
process.channel.ref();

const send = (message, handle) =>
  new Promise((resolve, reject) => process.send(message, handle, {}, (error) => (error ? reject(error) : resolve())));

/** @returns a socket that is bound and does not listen yet, so that this process accepts no connection */
function bindSocket(port) {
  const loopback = new TCP(constants.SERVER);
  if (port === DNS_PORT) return requireBound(loopback, loopback.bind("127.0.0.1", port), port);
  const both = loopback.bind6("::", port, 0);
  if (both === 0) return loopback;
  // The kernel may have no IPv6.
  const socket = new TCP(constants.SERVER);
  return requireBound(socket, socket.bind("0.0.0.0", port), port);
}

function requireBound(socket, result, port) {
  if (result !== 0) throw new Error(`binding port ${port} failed: ${result}`);
  return socket;
}

const everyPort = process.env.EVERY_PORT_SOCKET;
if (everyPort !== undefined) {
  const socket = new TCP(constants.SERVER);
  await send({ kind: "listener", port: "every" }, requireBound(socket, socket.open(Number(everyPort)), "every"));
}
for (const port of ports === "" ? [] : ports.split(",").map(Number)) {
  if (everyPort !== undefined && port !== DNS_PORT) continue;
  await send({ kind: "listener", port }, bindSocket(port));
  if (port !== DNS_PORT) continue;
  const udp = createSocket("udp4");
  udp.bind(port, "127.0.0.1");
  await once(udp, "listening");
  await send({ kind: "dns" }, udp);
}
for (let sent = 0; sent < Number(sockets); sent += 1) {
  const socket = new TCP(constants.SOCKET);
  // Creates it in the kernel.
  requireBound(socket, socket.bind("127.0.0.1", 0), 0);
  await send({ kind: "socket" }, socket);
}
await send({ kind: "end" });
process.disconnect();
process.exit(0);
