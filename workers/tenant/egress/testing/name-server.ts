/** A name server (RFC 1035) by UDP, which responds as the resolver of an attacker's domain does. */
import { createSocket } from "node:dgram";
import { once } from "node:events";

const TYPES = { A: 1, CNAME: 5, AAAA: 28 } as const;
type Type = keyof typeof TYPES;
/** Addresses of a name, or the name that it is an alias of. */
export type Answer = Partial<Record<Type, readonly string[]>>;

const [HEADER_BYTES, IN] = [12, 1];
/** Response, recursion desired and available. */
const [FLAGS, NO_SUCH_NAME] = [0x8180, 3];

export interface NameServer {
  /** By name, in lower case. Without one, a name does not exist. */
  answers: Readonly<Record<string, Answer>>;
  /** Names of the queries, oldest first. */
  readonly queries: string[];
}

/** Starts a name server on port 53 of an address. It ends with the process. */
export async function startNameServer(address: string): Promise<NameServer> {
  const server: NameServer = { answers: {}, queries: [] };
  const socket = createSocket("udp4").unref();
  socket.on("message", (query, { address: to, port }) => {
    const { name, type, end } = questionOf(query);
    server.queries.push(name);
    const records = recordsOf(name, type, server.answers);
    const header = Buffer.from(query.subarray(0, HEADER_BYTES));
    header.writeUInt16BE(FLAGS | (server.answers[name] === undefined ? NO_SUCH_NAME : 0), 2);
    for (const [at, count] of [1, records.length, 0, 0].entries()) header.writeUInt16BE(count, 4 + 2 * at);
    socket.send(Buffer.concat([header, query.subarray(HEADER_BYTES, end), ...records]), port, to);
  });
  socket.bind(53, address);
  await once(socket, "listening");
  return server;
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** Returns the records of a name and of those that it is an alias of, as a recursive resolver does. */
function recordsOf(name: string, type: number, answers: NameServer["answers"]): Buffer[] {
  const { CNAME: aliases = [], A = [], AAAA = [] } = answers[name] ?? {};
  const addresses = type === TYPES.A ? A.map(ipv4Bytes) : type === TYPES.AAAA ? AAAA.map(ipv6Bytes) : [];
  return [
    ...aliases.flatMap((alias) => [record(name, TYPES.CNAME, nameBytes(alias)), ...recordsOf(alias, type, answers)]),
    ...addresses.map((data) => record(name, type, data)),
  ];
}

/** Expires at once. */
function record(name: string, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10);
  for (const [value, at] of [
    [type, 0],
    [IN, 2],
    [data.length, 8],
  ] as const)
    fixed.writeUInt16BE(value, at);
  return Buffer.concat([nameBytes(name), fixed, data]);
}

const nameBytes = (name: string): Buffer =>
  Buffer.concat([...name.split("."), ""].map((label) => Buffer.from([label.length, ...Buffer.from(label)])));

const ipv4Bytes = (address: string): Buffer => Buffer.from(address.split(".").map(Number));

function ipv6Bytes(address: string): Buffer {
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const groups = (text: string) => (text === "" ? [] : text.split(":"));
  const after = tail === undefined ? [] : groups(tail);
  const before = groups(head);
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0");
  return Buffer.from([...before, ...zeros, ...after].map((group) => group.padStart(4, "0")).join(""), "hex");
}
