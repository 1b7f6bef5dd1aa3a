/** A Matrix homeserver (Synapse) and a person with a Matrix client (matrix-nio), of PyPI's packages: see `local/tools/chat-programs.mjs`. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdirSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "@tenantry/std/free-port";
import { vi } from "vitest";
import * as z from "zod";

const CLIENT = join(import.meta.dirname, "matrix-client.py");
const WAIT = { timeout: 60_000, interval: 200 };
const SECRET = "registration-secret";
const loggedIn = z.object({ user_id: z.string(), access_token: z.string() });

export interface MatrixUser {
  id: string;
  token: string;
}

export class Homeserver {
  readonly url: string;
  readonly #python: string;
  readonly #process: ChildProcess;

  private constructor(url: string, python: string, child: ChildProcess) {
    this.url = url;
    this.#python = python;
    this.#process = child;
  }

  /** @param programs the Python environment */
  static async open(programs: string, directory: string): Promise<Homeserver> {
    mkdirSync(directory, { recursive: true });
    const port = await freePort();
    const resources = [{ names: ["client"] }];
    // YAML includes JSON.
    const config = {
      server_name: "matrix.test",
      listeners: [{ port, bind_addresses: ["127.0.0.1"], type: "http", resources }],
      database: { name: "sqlite3", args: { database: join(directory, "homeserver.db") } },
      registration_shared_secret: SECRET,
      macaroon_secret_key: "macaroons",
      signing_key_path: join(directory, "signing.key"),
      media_store_path: join(directory, "media"),
      report_stats: false,
      trusted_key_servers: [],
    };
    const path = join(directory, "homeserver.yaml");
    writeFileSync(path, JSON.stringify(config));
    const python = join(programs, "bin/python");
    const run = ["-m", "synapse.app.homeserver", "--config-path", path];
    await promisify(execFile)(python, [...run, "--generate-keys"], { cwd: directory });
    const log = openSync(join(directory, "synapse.log"), "a");
    const child = spawn(python, run, { cwd: directory, stdio: ["ignore", log, log] });
    const server = new Homeserver(`http://127.0.0.1:${port}`, python, child);
    await vi.waitFor(async () => {
      const { status } = await fetch(`${server.url}/_matrix/client/versions`);
      if (status !== 200) throw new Error(`Synapse responds with ${status}`);
    }, WAIT);
    return server;
  }

  /** https://element-hq.github.io/synapse/latest/admin_api/register_api.html */
  async register(username: string): Promise<MatrixUser> {
    const address = `${this.url}/_synapse/admin/v1/register`;
    const { nonce } = z.object({ nonce: z.string() }).parse(await (await fetch(address)).json());
    const password = "a-long-password";
    const mac = createHmac("sha1", SECRET).update(`${nonce}\0${username}\0${password}\0notadmin`).digest("hex");
    const body = JSON.stringify({ nonce, username, password, mac, admin: false });
    const response = await fetch(address, { method: "POST", headers: { "content-type": "application/json" }, body });
    const { user_id, access_token } = loggedIn.parse(await response.json());
    return { id: user_id, token: access_token };
  }

  /** Writes to another user in a room of both, and waits for the answer. */
  async converse(person: MatrixUser, other: string, text: string): Promise<string> {
    const parameters = [CLIENT, this.url, person.id, person.token, other, text];
    return (await promisify(execFile)(this.#python, parameters)).stdout.trim();
  }

  close(): void {
    this.#process.kill("SIGKILL");
  }
}
