import { request } from "node:http";
import { connect } from "node:net";
import { buffer } from "node:stream/consumers";
import * as z from "zod";

interface Result {
  code: number;
  stdout: string;
  stderr: string;
}

const created = z.object({ Id: z.string() });
const ended = z.object({ Running: z.boolean(), ExitCode: z.number().nullable() });

const sidecar = z.object({
  NetworkSettings: z.object({ Ports: z.object({ "39001/tcp": z.tuple([z.object({ HostPort: z.coerce.number() })]) }) }),
});

/** Calls a container engine as workerd does. */
export class EngineClient {
  readonly #socketPath: string;

  /** @param address of {@link ContainerEngine.address} */
  constructor(address: string) {
    this.#socketPath = address.replace(/^unix:/, "");
  }

  async call(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
    return new Promise((resolve, reject) => {
      const headers = { "content-type": "application/json" };
      const sent = request({ socketPath: this.#socketPath, method, path, headers }, async (response) => {
        const text = (await buffer(response)).toString("utf8");
        resolve({ status: response.statusCode ?? 0, body: text === "" ? undefined : JSON.parse(text) });
      });
      sent.once("error", reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  /** Creates and starts a container and its sidecar. */
  async start(name: string, image = "test"): Promise<void> {
    for (const container of [`${name}-proxy`, name]) {
      const { status } = await this.call("POST", `/containers/create?name=${container}`, { Image: image });
      if (status !== 201) throw new Error(`creating ${container} failed: ${status}`);
      await this.call("POST", `/containers/${container}/start`);
    }
  }

  /** Runs a command to its end. @param o.input its input @throws Error with the status when the container does not run */
  async exec(name: string, command: readonly string[], o: { env?: string[]; input?: Buffer } = {}): Promise<Result> {
    const attached = { AttachStdin: true, AttachStdout: true, AttachStderr: true };
    const prepared = await this.call("POST", `/containers/${name}/exec`, {
      ...attached,
      Cmd: command,
      Env: o.env ?? [],
    });
    if (prepared.status !== 201) throw new Error(`preparing a command of ${name} failed: ${prepared.status}`);
    const { Id } = created.parse(prepared.body);
    const body = JSON.stringify({ Detach: false, Tty: false });
    const socket = connect({ path: this.#socketPath, allowHalfOpen: true });
    socket.write(
      `POST /exec/${Id}/start HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: tcp\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    socket.end(o.input ?? Buffer.alloc(0));
    const bytes = await buffer(socket);
    const streams: Record<number, Buffer[]> = {};
    for (let at = bytes.indexOf("\r\n\r\n") + 4; at < bytes.length; ) {
      const length = bytes.readUInt32BE(at + 4);
      const kind = bytes.readUInt8(at);
      streams[kind] = [...(streams[kind] ?? []), bytes.subarray(at + 8, at + 8 + length)];
      at += 8 + length;
    }
    const state = ended.parse((await this.call("GET", `/exec/${Id}/json`)).body);
    if (state.Running || state.ExitCode === null) throw new Error("the stream ended before its command");
    const text = (kind: number) => Buffer.concat(streams[kind] ?? []).toString("utf8");
    return { code: state.ExitCode, stdout: text(1), stderr: text(2) };
  }

  /** Runs a command line by {@link exec}. */
  sh(name: string, command: string, env: string[] = []): Promise<Result> {
    return this.exec(name, ["sh", "-c", command], { env });
  }

  /** Connects to a port of a container as workerd does. @returns the response to `CONNECT`, and all that the port sends */
  async through(name: string, port: number): Promise<string> {
    const { status, body } = await this.call("GET", `/containers/${name}-proxy/json`);
    if (status === 404) return "";
    const [{ HostPort }] = sidecar.parse(body).NetworkSettings.Ports["39001/tcp"];
    const socket = connect(HostPort, "127.0.0.1");
    socket.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nX-Dst-Addr: 127.0.0.1:${port}\r\n\r\n`);
    let text = "";
    socket.on("data", (bytes) => {
      text += bytes;
    });
    // workerd ends the connection after a complete response; other clients are cut off.
    socket.on("error", () => {});
    await new Promise((resolve) => socket.once("close", resolve));
    return text;
  }
}
