/** An IRC server (ngircd) and a person with an IRC client (ii), of Debian's packages: see `local/tools/chat-programs.mjs`. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "@tenantry/std/free-port";
import { vi } from "vitest";

const HOST = "127.0.0.1";
const WAIT = { timeout: 30_000, interval: 200 };

export class IrcServer {
  readonly port: number;
  readonly #programs: string;
  readonly #directory: string;
  readonly #processes: ChildProcess[] = [];

  private constructor(programs: string, directory: string, port: number) {
    this.#programs = programs;
    this.#directory = directory;
    this.port = port;
  }

  /** @param programs directory with the extracted packages @param password of the server */
  static async open(programs: string, directory: string, password: string): Promise<IrcServer> {
    mkdirSync(directory, { recursive: true });
    const server = new IrcServer(programs, directory, await freePort());
    const config = [
      ...["[Global]", "Name = irc.test", "Info = Test", `Listen = ${HOST}`, `Ports = ${server.port}`],
      ...[`Password = ${password}`, "ServerUID = root", "ServerGID = root"],
      ...["[Options]", "DNS = no", "Ident = no", "PAM = no"],
    ];
    writeFileSync(join(directory, "ngircd.conf"), `${config.join("\n")}\n`);
    server.#run("usr/sbin/ngircd", ["-n", "-f", join(directory, "ngircd.conf")]);
    return server;
  }

  /** Connects a person, who writes to another user. */
  async connect(nick: string, password: string): Promise<IrcPerson> {
    const directory = join(this.#directory, nick);
    mkdirSync(directory, { recursive: true });
    const parameters = ["-s", HOST, "-p", String(this.port), "-n", nick, "-k", "IRC_PASSWORD", "-i", directory];
    const person = new IrcPerson(join(directory, HOST));
    const start = () => this.#run("usr/bin/ii", parameters, { IRC_PASSWORD: password });
    let client = start();
    await vi.waitFor(() => {
      // ii ends when the server does not listen yet.
      if (client.exitCode !== null) client = start();
      if (!person.read("").includes("Welcome")) throw new Error(`${nick} is not connected`);
    }, WAIT);
    return person;
  }

  #run(program: string, parameters: string[], env: Record<string, string> = {}): ChildProcess {
    const libraries = join(this.#programs, "usr/lib/x86_64-linux-gnu");
    const child = spawn(join(this.#programs, program), parameters, {
      env: { ...process.env, LD_LIBRARY_PATH: libraries, ...env },
      stdio: "ignore",
    });
    this.#processes.push(child);
    return child;
  }

  close(): void {
    for (const child of this.#processes) child.kill("SIGKILL");
  }
}

/** ii has a directory for the server and for each person, with a pipe for what is written and a file with what was received. */
export class IrcPerson {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** @param other nick; empty for the server's messages */
  read(other: string): string {
    const path = join(this.#directory, other, "out");
    return existsSync(path) ? readFileSync(path, "utf8") : "";
  }

  write(other: string, text: string): void {
    const path = join(this.#directory, other, "in");
    if (existsSync(path)) writeFileSync(path, `${text}\n`);
    else writeFileSync(join(this.#directory, "in"), `/j ${other} ${text}\n`);
  }

  /** Returns the lines that another user has written. */
  received(other: string): string[] {
    return this.read(other)
      .split("\n")
      .filter((line) => line.includes(`<${other}> `));
  }
}
