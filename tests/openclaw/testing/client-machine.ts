/**
 * A machine of a person who runs OpenClaw's own programs. The programs reach the tenant as on the internet, by its name and over TLS: they send
 * Access headers over TLS only. The local edge has no TLS, so {@link openTls} ends it in front of the edge.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { createServer as createSecureServer } from "node:tls";
import { stripVTControlCharacters } from "node:util";
import { issueCertificate } from "@tenantry/edge/testing/certificate";
import { listen } from "@tenantry/std/listening";
import { expect } from "vitest";

const DAY_MS = 86_400_000;
/** Timeout of a program that loads OpenClaw and connects, on a busy machine, in milliseconds. */
const PATIENCE_MS = 240_000;
/** Not every resolver knows names under `localhost`. */
const WITH_HOSTS = 'mount --bind "$0" /etc/hosts && exec "$@"';

/** The first byte of a connection with TLS. */
const TLS_HANDSHAKE = 0x16;

/** A server with TLS in front of another one. */
export interface TlsFront {
  /** Its host and this server's port. */
  address: string;
  host: string;
  port: number;
  certificate: string;
  hosts: string;
  close(): void;
}

/** @param directory for its files @param host its name @param port of the other server on 127.0.0.1 */
export async function openTls(directory: string, host: string, port: number): Promise<TlsFront> {
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const now = Date.now();
  const key = createPrivateKey(privateKey);
  const terms = { name: host, from: new Date(now - DAY_MS), until: new Date(now + DAY_MS) };
  const cert = issueCertificate(key, terms, { name: host, key });
  const [certificate, hosts] = [join(directory, `${host}.pem`), join(directory, `${host}.hosts`)];
  writeFileSync(certificate, cert);
  writeFileSync(hosts, `${readFileSync("/etc/hosts", "utf8")}\n127.0.0.1 ${host}\n`);
  const relay = (socket: Socket) => {
    const onward = connect(port, "127.0.0.1");
    const end = () => [socket, onward].map((each) => each.destroy());
    for (const each of [socket, onward]) each.on("error", end).on("close", end);
    socket.pipe(onward).pipe(socket);
  };
  const secure = createSecureServer({ key: privateKey, cert }, relay);
  // The edge sends requests of Workers without TLS.
  const server = createServer((socket) => {
    socket.once("data", (first) => {
      socket.pause();
      socket.unshift(first);
      if (first[0] === TLS_HANDSHAKE) secure.emit("connection", socket);
      else relay(socket);
    });
    socket.on("error", () => socket.destroy());
  });
  const own = await listen(server, { port: 0 });
  return { address: `${host}:${own}`, host, port: own, certificate, hosts, close: () => void server.close() };
}

/** A service token, as the API returns it. */
export interface ServiceToken {
  id: string;
  access_client_id: string;
  client_secret: string;
}

/** A program that runs. */
export class Running {
  readonly #child: ChildProcessWithoutNullStreams;
  /** Resolves with its exit code. */
  readonly ended: Promise<number | null>;
  #printed = "";
  /** Its standard output alone. */
  stdout = "";

  constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    this.ended = new Promise((resolve) => child.once("close", resolve));
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        this.#printed += text;
        if (stream === child.stdout) this.stdout += text;
      });
  }

  /** What it has printed, without the terminal's control sequences. */
  get output(): string {
    return stripVTControlCharacters(this.#printed);
  }

  /** Waits until it has printed a text. */
  async says(text: RegExp): Promise<void> {
    await expect.poll(() => this.output, { timeout: PATIENCE_MS, interval: 100 }).toMatch(text);
  }

  async stop(): Promise<void> {
    this.#child.kill("SIGTERM");
    await this.ended;
  }
}

export class ClientMachine {
  readonly token: ServiceToken;
  readonly #home: string;
  readonly #tls: TlsFront;
  readonly #program: string;
  readonly #running = new Set<Running>();

  /**
   * @param home an empty folder for the person's files
   * @param program OpenClaw's
   * @param headers more headers that the person sends
   */
  constructor(home: string, o: { tls: TlsFront; program: string; token: ServiceToken; headers?: object }) {
    this.token = o.token;
    this.#home = home;
    this.#tls = o.tls;
    this.#program = o.program;
    const ofVariable = (id: string) => ({ source: "env", provider: "default", id });
    const edgeAuth = {
      "CF-Access-Client-Id": ofVariable("CF_ACCESS_CLIENT_ID"),
      "CF-Access-Client-Secret": ofVariable("CF_ACCESS_CLIENT_SECRET"),
      ...o.headers,
    };
    const remote = { url: `wss://${o.tls.address}`, token: "unused", edgeAuth };
    const providers = { default: { source: "env" } };
    mkdirSync(join(home, ".openclaw"), { recursive: true });
    writeFileSync(
      join(home, ".openclaw/openclaw.json"),
      JSON.stringify({ gateway: { mode: "remote", remote }, secrets: { providers } }),
    );
  }

  /** Starts OpenClaw. */
  start(...parameters: string[]): Running {
    return this.#spawn([process.execPath, this.#program, ...parameters]);
  }

  /** Starts OpenClaw in a terminal. */
  startInTerminal(...parameters: string[]): Running {
    const words = [process.execPath, this.#program, ...parameters].map((word) => `'${word}'`).join(" ");
    return this.#spawn(["script", "-qfec", `stty cols 200 rows 50 && exec ${words}`, "/dev/null"]);
  }

  /** Runs OpenClaw to its end. @returns what it prints */
  async run(...parameters: string[]): Promise<string> {
    const running = this.start(...parameters);
    await running.ended;
    return running.output;
  }

  /** Runs OpenClaw to its end. @returns its result */
  async runForJson(...parameters: string[]): Promise<unknown> {
    const running = this.start(...parameters, "--json");
    await running.ended;
    return JSON.parse(running.stdout);
  }

  /** Runs a script of Node.js to its end. @returns what it prints */
  async runScript(path: string, variables: Record<string, string>): Promise<string> {
    const running = this.#spawn([process.execPath, path], variables);
    await running.ended;
    return running.stdout;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running].map((running) => running.stop()));
  }

  #spawn(command: string[], variables: Record<string, string> = {}): Running {
    const own = process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"];
    const child = spawn("unshare", [...own, "--mount", "sh", "-c", WITH_HOSTS, this.#tls.hosts, ...command], {
      cwd: this.#home,
      env: {
        PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
        HOME: this.#home,
        TERM: "xterm-256color",
        NODE_EXTRA_CA_CERTS: this.#tls.certificate,
        // It would ask npm for a newer version.
        OPENCLAW_NO_AUTO_UPDATE: "1",
        CF_ACCESS_CLIENT_ID: this.token.access_client_id,
        CF_ACCESS_CLIENT_SECRET: this.token.client_secret,
        ...variables,
      },
    });
    const running = new Running(child);
    this.#running.add(running);
    running.ended.then(() => this.#running.delete(running));
    return running;
  }
}
