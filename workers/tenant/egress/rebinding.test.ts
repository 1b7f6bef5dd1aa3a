/**
 * Names that resolve to private addresses, by a real name server: from a container with its own network, through the real Worker, by the network
 * of workerd; and by connections that the Worker does not see.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { probeNetwork } from "@tenantry/edge/containers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { EgressMode } from "#domain/egress/policy-types.ts";
import type { MachineRequest, MachineResponse } from "./testing/machine.ts";
import type { Answer } from "./testing/name-server.ts";

const PUBLIC = ["93.184.216.34", "2606:2800:220:1::1"] as const;
const PRIVATE = [
  ...["10.0.0.1", "100.64.0.1", "169.254.169.254", "172.16.0.1", "192.168.0.1", "224.0.0.1", "240.0.0.1"],
  ...["fd00:ec2::254", "fe80::1"],
];
/** Not private to workerd: metadata of Azure, an address of benchmarks, and private addresses in forms that a gateway translates. */
const SPECIAL = ["168.63.129.16", "198.18.0.1", "64:ff9b::a00:1", "2002:a00:1::1", "::10.0.0.1"];
const MODES = ["allowlist", "audit", "open"] as const;
const DOMAIN = "rebound.example";
/** `$1` is the file of the resolver's settings. */
const SET_UP = `set -e
mount --bind "$1" /etc/resolv.conf
ip link set lo up
${[...PUBLIC, ...PRIVATE, ...SPECIAL].map((address) => `ip addr add ${address}/${address.includes(":") ? "128" : "32"} dev lo`).join("\n")}
shift
exec "$@"`;
const UNSHARE = ["unshare", "--net", "--mount"] as const;

const probed = await probeNetwork();
const [program, ...parameters] = UNSHARE;
const own = spawnSync(program, [...parameters, "true"], { encoding: "utf8" });
const obstacle = probed.kind === "shared" ? probed.reason : own.status === 0 ? undefined : own.stderr;
if (obstacle !== undefined) console.warn(`SKIPPED: names that resolve to private addresses: ${obstacle}`);

/** A machine in a network of its own. */
class Machine {
  readonly #directory = mkdtempSync(join(tmpdir(), "machine-"));
  readonly #child: ChildProcess;
  readonly #pending = new Map<number, (response: MachineResponse) => void>();
  readonly #ended: Promise<never>;
  readonly ready: Promise<MachineResponse>;
  #calls = 0;

  constructor() {
    const settings = join(this.#directory, "resolv.conf");
    writeFileSync(settings, "nameserver 127.0.0.1\n");
    const machine = join(import.meta.dirname, "testing/machine.ts");
    this.#child = spawn(program, [...parameters, "sh", "-c", SET_UP, "sh", settings, process.execPath, machine], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    this.#child.on("message", (response: MachineResponse) => this.#pending.get(response.id)?.(response));
    this.#ended = once(this.#child, "exit").then(([code]) => {
      throw new Error(`The machine ended with ${code}.`);
    });
    // Thrown by calls.
    this.#ended.catch(() => {});
    this.ready = this.#response(0);
  }

  async call(request: MachineRequest): Promise<MachineResponse> {
    this.#calls += 1;
    const response = this.#response(this.#calls);
    this.#child.send({ id: this.#calls, request });
    const { error, ...received } = await response;
    if (error !== undefined) throw new Error(error);
    return received;
  }

  async stop(): Promise<void> {
    this.#child.disconnect();
    await this.#ended.catch(() => {});
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #response(id: number): Promise<MachineResponse> {
    return Promise.race([
      this.#ended,
      new Promise<MachineResponse>((resolve) => {
        this.#pending.set(id, resolve);
      }),
    ]);
  }
}

/** What an attacker's name resolves to, and the reached addresses where it has public ones, too. */
const ATTACKS: [what: string, answer: Answer, reached?: readonly string[]][] = [
  ["a private address", { A: ["10.0.0.1"] }],
  ["another private address", { A: ["172.16.0.1", "192.168.0.1"] }],
  ["an address of a carrier", { A: ["100.64.0.1"] }],
  ["metadata", { A: ["169.254.169.254"] }],
  ["loopback", { A: ["127.0.0.1"] }],
  ["the unspecified address", { A: ["0.0.0.0"] }],
  ["a reserved address", { A: ["240.0.0.1"] }],
  ["a private IPv6 address", { AAAA: ["fd00:ec2::254"] }],
  ["a link-local IPv6 address", { AAAA: ["fe80::1"] }],
  ["loopback of IPv6", { AAAA: ["::1"] }],
  ["a private address in IPv6", { AAAA: ["::ffff:10.0.0.1"] }],
  ["loopback in IPv6", { AAAA: ["::ffff:127.0.0.1"] }],
  ["a private address by an alias", { CNAME: ["inner.attacker.example"] }],
  ["localhost by an alias", { CNAME: ["localhost"] }],
  ["private addresses of both kinds", { A: ["10.0.0.1"], AAAA: ["fd00:ec2::254"] }],
  ["a private and a public address", { A: ["10.0.0.1", PUBLIC[0]], AAAA: ["fd00:ec2::254", PUBLIC[1]] }, PUBLIC],
  ["a public and a private address", { A: [PUBLIC[0], "169.254.169.254"] }, [PUBLIC[0]]],
];
const OTHERS: Record<string, Answer> = {
  "inner.attacker.example": { A: ["10.0.0.1"] },
  localhost: { A: ["127.0.0.1"] },
};
const FAILED = /^\{"error":\{"code":"egress_failed",.*\} 502$/;
/** Ports of HTTP, HTTPS and another protocol. */
const urlsOf = (name: string) => [`http://${name}/`, `https://${name}/`, `telnet://${name}:22`];

describe.skipIf(obstacle !== undefined)("a name that resolves to a private address", () => {
  let machine: Machine;
  const tenants = new Map<string, number>();
  const open = async (name: string, mode: EgressMode, outbound: ("public" | "private")[]) => {
    const policy = { mode, entries: [{ host: `*.${DOMAIN}` }] };
    const { output } = await machine.call({ call: "open", tenant: { policy, outbound } });
    tenants.set(name, Number(output));
  };
  beforeAll(async () => {
    machine = new Machine();
    await machine.ready;
    await Promise.all([
      ...MODES.map((mode) => open(mode, mode, ["public"])),
      open("unprotected", "open", ["public", "private"]),
    ]);
  });
  afterAll(() => machine.stop());

  let number = 0;
  /** Returns a name that was never resolved: workerd uses an address for as long as it has a connection. */
  const create = async (answer?: Answer) => {
    number += 1;
    const name = `n${number}.${DOMAIN}`;
    await change(name, answer);
    return name;
  };
  const change = (name: string, answer?: Answer) =>
    machine.call({ call: "resolve", answers: { ...OTHERS, ...(answer && { [name]: answer }) } });
  const run = async (name: string, command: string) => {
    const response = await machine.call({ call: "run", tenant: tenants.get(name) ?? -1, command });
    return { output: response.output.trim(), reached: response.reached };
  };
  /** @returns body and status, or curl's exit code, and the addresses that were reached */
  const curl = (name: string, ...given: readonly string[]) =>
    run(
      name,
      `curl -sgk -m 3 -w ' %{http_code}' ${given.map((part) => `'${part}'`).join(" ")} 2>/dev/null || echo " exit $?"`,
    );
  const addressesOf = (reached: readonly string[]) => reached.map((address) => address.replace(/:\d+$/, ""));

  test.for(MODES)("is public at first, in the mode %s: this reaches it", async (mode) => {
    for (const address of PUBLIC) {
      const name = await create(address.includes(":") ? { AAAA: [address] } : { A: [address] });
      const { output, reached } = await curl(mode, `http://${name}/`);
      expect([output, addressesOf(reached)]).toEqual([
        "arrived 200",
        [address.includes(":") ? `[${address}]` : address],
      ]);
    }
  });

  test.for(ATTACKS)("reaches %s in no mode", async ([, answer, allowed = []]) => {
    const urls = urlsOf(await create(answer));
    const attempts = MODES.flatMap((mode) => urls.map((url) => ({ mode, url })));
    const found = await Promise.all(
      attempts.map(async (attempt) => ({ ...attempt, ...(await curl(attempt.mode, attempt.url)) })),
    );
    const bracketed = allowed.map((address) => (address.includes(":") ? `[${address}]` : address));
    expect(bracketed).toEqual(expect.arrayContaining(found.flatMap(({ reached }) => addressesOf(reached))));
    if (allowed.length > 0) return;
    for (const { mode, url, output } of found) {
      expect([mode, url, output]).toEqual([mode, url, expect.not.stringContaining("arrived")]);
      if (mode === "allowlist" && url.startsWith("http")) expect(output).toMatch(FAILED);
    }
  });

  test("reaches it if the Worker's network allows private addresses, which shows that the attack is real", async () => {
    const { output, reached } = await curl("unprotected", `http://${await create({ A: ["10.0.0.1"] })}/`);
    expect([output, reached]).toEqual(["arrived 200", ["10.0.0.1:80"]]);
  });

  test("is not reached when it was public before: workerd resolves it again when idle", {
    timeout: 60_000,
  }, async () => {
    const name = await create({ A: [PUBLIC[0]] });
    const modes = ["allowlist", "audit"];
    for (const mode of modes) expect((await curl(mode, `http://${name}/`)).output).toBe("arrived 200");
    await change(name, { A: ["169.254.169.254"] });
    // By the connection to the public address.
    for (const mode of modes)
      expect(await curl(mode, `http://${name}/`)).toEqual({ output: "arrived 200", reached: [] });
    // Twice the time after which workerd ends an idle connection and forgets its address.
    await run("open", "sleep 11");
    for (const mode of modes)
      expect(await curl(mode, `http://${name}/`)).toEqual({ output: expect.stringMatching(FAILED), reached: [] });
  });

  test("is not reached by another protocol when it did not exist before", async () => {
    const name = await create();
    for (const mode of ["audit", "open"]) {
      const lookup = `require("dns").lookup("${name}", { family: 4 }, (error, address) => console.log(address))`;
      const { output: address } = await run(mode, `node -e '${lookup}'`);
      expect(address).toMatch(/^11\.0\./);
      for (const private4 of ["10.0.0.1", "127.0.0.1", "169.254.169.254"]) {
        await change(name, { A: [private4], AAAA: ["::ffff:10.0.0.1", "::1"] });
        expect(await curl(mode, `telnet://${address}:22`)).toEqual({ output: "000 exit 56", reached: [] });
      }
      await change(name, { A: ["10.0.0.1", PUBLIC[0]] });
      expect((await curl(mode, `telnet://${address}:22`)).reached).toEqual([`${PUBLIC[0]}:22`]);
      await change(name);
    }
  });

  test.for([
    ["another protocol on the port of HTTP", "telnet://HOST:80"],
    ["another protocol on the port of HTTPS", "telnet://HOST:443"],
    ["another protocol on another port", "telnet://HOST:22"],
    ["HTTP on another port", "http://HOST:22/"],
    ["TLS for another host", "--connect-to ::HOST: https://any.example/"],
    ["TLS without a server name", "--connect-to ::HOST: https://8.8.8.8/"],
  ] as const)("does not reach a host of the platform by %s", async ([, args]) => {
    const host = "hooli.agents.example.com";
    await change(host, { A: [PUBLIC[0]] });
    const given = args.replace("HOST", host).split(" ");
    for (const { output, reached } of await Promise.all(MODES.map((mode) => curl(mode, ...given))))
      expect([output, reached]).toEqual([expect.not.stringContaining("arrived"), []]);
  });

  // A machine that runs workerd must not route them.
  test.for(SPECIAL)("reaches %s by HTTP: it is public to workerd", async (address) => {
    const name = await create(address.includes(":") ? { AAAA: [address] } : { A: [address] });
    const { output } = await curl("allowlist", `http://${name}/`);
    expect(output).toBe("arrived 200");
    expect((await curl("open", `telnet://${name}:22`)).reached).toEqual([]);
  });
});
