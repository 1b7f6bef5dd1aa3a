import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, readFile, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { freePort } from "@tenantry/std/free-port";

export const PACKAGE = join(import.meta.dirname, "../..");
export const EXAMPLES = join(PACKAGE, "examples");
const WRANGLER = join(PACKAGE, "../../node_modules/wrangler/bin/wrangler.js");

interface Answer {
  status: number | undefined;
  headers: Record<string, unknown>;
  body: string;
}

/** The command `tenantry-edge` in its own process, with wrangler. */
export class EdgeCommand {
  readonly #program: string;
  readonly #directory: string;
  readonly #port: number;
  #child: ChildProcess | undefined;
  /** Variables for clients, from the file of the command. */
  variables: Record<string, string> = {};

  private constructor(program: string, directory: string, port: number) {
    this.#program = program;
    this.#directory = directory;
    this.#port = port;
  }

  /** @param program path of the executable @param directory of the state and other files */
  static async start(program: string, directory: string): Promise<EdgeCommand> {
    const command = new EdgeCommand(program, directory, await freePort());
    await command.start();
    return command;
  }

  /** Starts it at the same port. */
  async start(): Promise<void> {
    const args = ["--state", join(this.#directory, "state"), "--port", String(this.#port)];
    const child = spawn(this.#program, args, { stdio: ["ignore", "pipe", "inherit"] });
    this.#child = child;
    let printed = "";
    for await (const chunk of child.stdout) {
      printed += String(chunk);
      if (printed.includes("Press Ctrl-C")) break;
    }
    const lines = (await readFile(join(this.#directory, "state/edge.env"), "utf8")).trim().split("\n");
    this.variables = Object.fromEntries(
      lines.map((line) => line.replace("export ", "").split("=") as [string, string]),
    );
  }

  /** Adds the image of the example `box` to the account's registry. */
  async pushImage(): Promise<void> {
    const images = { "registry.cloudflare.com/ed9e0000000000000000000000000001/box:1": {} };
    await writeFile(join(this.#directory, "state/images.json"), JSON.stringify(images));
  }

  /** Sends SIGINT. @returns the exit code */
  async stop(): Promise<unknown> {
    if (this.#child === undefined || this.#child.exitCode !== null) return this.#child?.exitCode;
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGINT");
    const [code] = await ended;
    return code;
  }

  /** Calls a host of the edge. @param put body of a PUT. Default: GET */
  call(host: string, path: string, put?: string): Promise<Answer> {
    const method = put === undefined ? "GET" : "PUT";
    return new Promise((resolve, reject) => {
      const sent = request({ host: "127.0.0.1", port: this.#port, path, method, headers: { host } });
      sent.once("error", reject);
      sent.once("response", (response) => {
        const { statusCode: status, headers } = response;
        text(response).then((body) => resolve({ status, headers, body }), reject);
      });
      sent.end(put);
    });
  }

  /** Copies the wrangler example. @returns a function that runs wrangler in one of its folders */
  async wranglerProject(): Promise<(folder: string, ...args: string[]) => Promise<void>> {
    const project = join(this.#directory, "wrangler");
    await cp(join(EXAMPLES, "wrangler"), project, { recursive: true });
    const own = { CI: "true", WRANGLER_SEND_METRICS: "false", HOME: this.#directory };
    return async (folder, ...args) => {
      await promisify(execFile)(process.execPath, [WRANGLER, ...args], {
        cwd: join(project, folder),
        env: { PATH: process.env.PATH, ...own, ...this.variables },
      });
    };
  }
}
