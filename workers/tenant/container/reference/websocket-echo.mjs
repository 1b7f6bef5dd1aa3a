/** A WebSocket echo server without dependencies (RFC 6455): text and binary messages, fragments, ping, close; no extensions. */
import { createHash } from "node:crypto";

const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const MAX_MESSAGE_BYTES = 1_000_000;
const CONTINUATION = 0;
const TEXT = 1;
const BINARY = 2;
const CLOSE = 8;
const PING = 9;

function frame(opcode, payload) {
  const header = Buffer.alloc(payload.length < 126 ? 2 : payload.length < 65_536 ? 4 : 10);
  header[0] = 0x80 | opcode;
  header[1] = header.length === 2 ? payload.length : header.length === 4 ? 126 : 127;
  if (header.length === 4) header.writeUInt16BE(payload.length, 2);
  if (header.length === 10) header.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([header, payload]);
}

function closeFrame(code) {
  const payload = Buffer.alloc(2);
  payload.writeUInt16BE(code);
  return frame(CLOSE, payload);
}

/** Returns the first complete frame; `undefined` when more bytes are needed; or a close code when it is malformed. */
function parse(buffer) {
  if (buffer.length < 2) return undefined;
  const masked = (buffer[1] & 0x80) !== 0;
  if ((buffer[0] & 0x70) !== 0 || !masked) return { fault: 1002 };
  let length = buffer[1] & 0x7f;
  let offset = 2;
  if (length === 126) {
    if (buffer.length < 4) return undefined;
    length = buffer.readUInt16BE(2);
    offset = 4;
  } else if (length === 127) {
    if (buffer.length < 10) return undefined;
    const long = buffer.readBigUInt64BE(2);
    if (long > BigInt(MAX_MESSAGE_BYTES)) return { fault: 1009 };
    length = Number(long);
    offset = 10;
  }
  if (buffer.length < offset + 4 + length) return undefined;
  const mask = buffer.subarray(offset, offset + 4);
  const payload = Buffer.from(buffer.subarray(offset + 4, offset + 4 + length));
  for (let i = 0; i < payload.length; i++) payload[i] ^= mask[i % 4];
  return { final: (buffer[0] & 0x80) !== 0, opcode: buffer[0] & 0x0f, payload, size: offset + 4 + length };
}

/** Accepts an upgrade request and echoes every message. */
export function echo(request, socket, head) {
  const key = request.headers["sec-websocket-key"];
  if (typeof key !== "string" || request.headers["sec-websocket-version"] !== "13") {
    socket.end("HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
    return;
  }
  const accept = createHash("sha1")
    .update(key + GUID)
    .digest("base64");
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
  );
  let buffer = head;
  let parts = [];
  let kind = TEXT;

  const read = () => {
    for (;;) {
      const next = parse(buffer);
      if (next === undefined) return;
      if (next.fault !== undefined) return socket.end(closeFrame(next.fault));
      buffer = buffer.subarray(next.size);
      if (next.opcode === CLOSE) return socket.end(frame(CLOSE, next.payload.subarray(0, 2)));
      if (next.opcode === PING) socket.write(frame(10, next.payload));
      if (next.opcode > BINARY) continue;
      if (next.opcode !== CONTINUATION) {
        kind = next.opcode;
        parts = [];
      }
      parts.push(next.payload);
      if (parts.reduce((sum, part) => sum + part.length, 0) > MAX_MESSAGE_BYTES) return socket.end(closeFrame(1009));
      if (next.final) socket.write(frame(kind, Buffer.concat(parts)));
    }
  };

  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk) => {
    buffer = Buffer.concat([buffer, chunk]);
    read();
  });
  read();
}
