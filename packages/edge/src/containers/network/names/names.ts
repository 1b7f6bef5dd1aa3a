/** What the names that a container looks up resolve to. */
import { Resolver } from "node:dns/promises";
import { A, AAAA, type Question, type Resolution } from "./dns-message.ts";
import type { Internet } from "./internet.ts";

/** The vendor's sidecar returns the first address of each (`dns.go` of cloudflare/proxy-everything) for every name. */
const [BLOCK_V4, BLOCK_V6] = ["11.0", "fd00::"] as const;
/** Addresses that are given before the oldest is given again. */
const MAX_NAMES = 8_190;
const TIMEOUT_MS = 2_000;
/** Of {@link NameRules}: also what workerd sends when it intercepts a range of addresses, in place of the names that it registers later. */
export const EVERY_NAME = "*";
const MISSING = new Set(["ENOTFOUND", "NOTFOUND", "EBADNAME"]);

export interface NameRules {
  /** Names that workerd intercepts, with `*` for any characters. */
  allowHostnames: readonly string[];
  /** Whether the container may reach the internet. */
  internet: boolean;
}

/** Returns the addresses of a name on the internet. @throws Error with the code of c-ares */
export type Resolve = (name: string, type: "A" | "AAAA") => Promise<string[]>;

let resolver: Resolver | undefined;
const resolveByMachine: Resolve = (name, type) => {
  resolver ??= new Resolver({ timeout: TIMEOUT_MS, tries: 2 });
  return type === "A" ? resolver.resolve4(name) : resolver.resolve6(name);
};

export function matchesGlob(glob: string, name: string): boolean {
  const parts = glob.toLowerCase().split("*");
  const [first = "", ...others] = parts;
  if (others.length === 0) return name === first;
  const last = others.pop() ?? "";
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of others) {
    const found = name.indexOf(part, at);
    if (found < 0 || found + part.length > name.length - last.length) return false;
    at = found + part.length;
  }
  return true;
}

/** Whether workerd intercepts a name, unlike all names. */
export const isIntercepted = (name: string, { allowHostnames }: NameRules): boolean =>
  allowHostnames.some((glob) => glob !== EVERY_NAME && matchesGlob(glob, name));

/** The names of one container. */
export class Names {
  readonly #internet: Internet;
  readonly #resolve: Resolve;
  /** Numbers of names, and the names of addresses. */
  readonly #numbers = new Map<string, number>();
  readonly #names = new Map<string, string>();
  #next = 0;

  constructor(internet: Internet, resolve: Resolve = resolveByMachine) {
    this.#internet = internet;
    this.#resolve = resolve;
  }

  /** Returns the name that {@link resolve} gave an own address. */
  nameOf(address: string): string | undefined {
    return this.#names.get(address);
  }

  /** Returns what a query gets. Names that workerd or a stand-in serves have an own address, which says nothing about the host. */
  async resolve({ name, type }: Question, { allowHostnames, internet }: NameRules): Promise<Resolution> {
    if (name === "localhost" || name.endsWith(".localhost"))
      return { addresses: type === A ? ["127.0.0.1"] : type === AAAA ? ["::1"] : [] };
    const isEvery = allowHostnames.includes(EVERY_NAME);
    if (isIntercepted(name, { allowHostnames, internet }) || (isEvery && !internet))
      return { addresses: this.#addressesOf(name, type) };
    if (internet && this.#internet.has(name)) return { addresses: type === A ? this.#addressesOf(name, A) : [] };
    if (!internet) return "missing";
    if (type !== A && type !== AAAA) return "unsupported";
    const found = await this.#find(name, type);
    if (typeof found === "string" && isEvery) return { addresses: this.#addressesOf(name, type) };
    return found;
  }

  /** Returns the addresses of a name outside; none when it cannot be resolved. */
  async outside(name: string): Promise<string[]> {
    const found = await Promise.all([A, AAAA].map((type) => this.#find(name, type)));
    return found.flatMap((resolution) => (typeof resolution === "string" ? [] : resolution.addresses));
  }

  async #find(name: string, type: number): Promise<Resolution> {
    try {
      return { addresses: await this.#resolve(name, type === A ? "A" : "AAAA") };
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      if (code === "ENODATA") return { addresses: [] };
      return MISSING.has(code) ? "missing" : "failed";
    }
  }

  #addressesOf(name: string, type: number): string[] {
    const [v4, v6] = addressesOf(this.#numberOf(name));
    return type === A ? [v4] : type === AAAA ? [v6] : [];
  }

  #numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const number = 1 + (this.#next++ % MAX_NAMES);
    const addresses = addressesOf(number);
    const previous = this.#names.get(addresses[0]);
    if (previous !== undefined) this.#numbers.delete(previous);
    this.#numbers.set(name, number);
    for (const address of addresses) this.#names.set(address, name);
    return number;
  }
}

const addressesOf = (number: number): [v4: string, v6: string] => [
  `${BLOCK_V4}.${number >> 8}.${number & 255}`,
  `${BLOCK_V6}${number.toString(16)}`,
];
