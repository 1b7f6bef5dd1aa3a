/** Hosts outside the account that a server of this machine represents, such as a vendor's stand-in of a test. */

/** Address of a server of this machine, on 127.0.0.1, by host name. Names without a port have the ports 80 and 443. */
export type StandIns = Readonly<Record<string, string>>;

export interface Server {
  host: string;
  port: number;
}

const DEFAULT_PORTS = [80, 443];

/** The hosts, by name and port. */
export class Internet {
  readonly #servers = new Map<string, Server>();
  readonly #names = new Set<string>();
  /** Other ports than 80 and 443. */
  readonly ports: readonly number[];

  /** @throws Error when an entry is invalid */
  constructor(standIns: StandIns = {}) {
    const others = new Set<number>();
    for (const [key, address] of Object.entries(standIns)) {
      const named = parse(key);
      const server = parse(address);
      if (named === undefined || server?.port === undefined || server.host !== "127.0.0.1")
        throw new Error(
          `\`internet\` must map a host such as api.example.com or irc.example.com:6667 to an address such as 127.0.0.1:8080, not ${key} to ${address}.`,
        );
      const ports = named.port === undefined ? DEFAULT_PORTS : [named.port];
      this.#names.add(named.host);
      for (const port of ports) {
        this.#servers.set(`${named.host}:${port}`, { host: server.host, port: server.port });
        if (!DEFAULT_PORTS.includes(port)) others.add(port);
      }
    }
    this.ports = [...others];
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  find(name: string, port: number): Server | undefined {
    return this.#servers.get(`${name}:${port}`);
  }
}

function parse(text: string): { host: string; port: number | undefined } | undefined {
  const [, host, port] = /^([\w.-]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
  return host === undefined
    ? undefined
    : { host: host.toLowerCase(), port: port === undefined ? undefined : Number(port) };
}
