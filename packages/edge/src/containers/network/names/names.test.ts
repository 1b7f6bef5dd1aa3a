import { expect, test } from "vitest";
import { A, AAAA, createResponse, parseQuery } from "./dns-message.ts";
import { Internet } from "./internet.ts";
import { matchesGlob, Names } from "./names.ts";

const PUBLIC: Record<string, string[]> = { "example.com": ["93.184.216.34"], "rebound.example": ["10.0.0.1"] };
const failing = (code: string) => Object.assign(new Error(code), { code });
/** A resolver without IPv6. */
const resolve = async (name: string, type: "A" | "AAAA") => {
  if (name === "slow.example") throw failing("ETIMEOUT");
  const found = PUBLIC[name];
  if (found === undefined) throw failing("ENOTFOUND");
  if (type === "AAAA") throw failing("ENODATA");
  return found;
};
const create = () =>
  new Names(new Internet({ "api.vendor.test": "127.0.0.1:1", "irc.test:6667": "127.0.0.1:2" }), resolve);

const OPEN = { allowHostnames: ["ai-gateway.internal"], internet: true };
const CLOSED = { allowHostnames: ["ai-gateway.internal", "*.example.com"], internet: false };

test("gives intercepted names and stand-ins an own address, and others that of the internet", async () => {
  const names = create();
  const ask = (name: string, type = A) => names.resolve({ name, type }, OPEN);
  expect(await ask("ai-gateway.internal")).toEqual({ addresses: ["11.0.0.1"] });
  expect(await ask("ai-gateway.internal", AAAA)).toEqual({ addresses: ["fd00::1"] });
  expect(await ask("api.vendor.test")).toEqual({ addresses: ["11.0.0.2"] });
  expect(await ask("ai-gateway.internal")).toEqual({ addresses: ["11.0.0.1"] });
  expect(await ask("example.com")).toEqual({ addresses: PUBLIC["example.com"] });
  expect(await ask("example.com", AAAA)).toEqual({ addresses: [] });
  expect([await ask("none.example"), await ask("slow.example"), await ask("example.com", 16)]).toEqual([
    "missing",
    "failed",
    "unsupported",
  ]);
  const known = ["fd00::1", "11.0.0.2", "11.0.0.3"].map((address) => names.nameOf(address));
  expect(known).toEqual(["ai-gateway.internal", "api.vendor.test", undefined]);
  expect([await ask("localhost"), await ask("a.localhost", AAAA)]).toEqual([
    { addresses: ["127.0.0.1"] },
    { addresses: ["::1"] },
  ]);
});

test("gives unknown names an own address when workerd intercepts a range of addresses", async () => {
  const names = create();
  const ask = (name: string, type = A) => names.resolve({ name, type }, { allowHostnames: ["*"], internet: true });
  expect(await ask("example.com")).toEqual({ addresses: PUBLIC["example.com"] });
  expect(await ask("metrics.internal")).toEqual({ addresses: ["11.0.0.1"] });
  expect(await ask("metrics.internal", AAAA)).toEqual({ addresses: ["fd00::1"] });
});

test("resolves only intercepted names for a container without internet", async () => {
  const names = create();
  const ask = (name: string, rules = CLOSED) => names.resolve({ name, type: A }, rules);
  expect(await ask("a.example.com")).toEqual({ addresses: ["11.0.0.1"] });
  for (const name of ["example.com", "api.vendor.test", "other.example"]) expect(await ask(name)).toBe("missing");
  expect(await ask("any.example", { ...CLOSED, allowHostnames: ["*"] })).toEqual({ addresses: ["11.0.0.2"] });
});

test("reuses the oldest of its addresses", async () => {
  const names = create();
  const ask = (name: string) => names.resolve({ name, type: A }, { allowHostnames: ["*"], internet: false });
  for (let number = 0; number <= 8_190; number += 1) await ask(`${number}.example`);
  expect(names.nameOf("11.0.0.1")).toBe("8190.example");
  expect(await ask("0.example")).toEqual({ addresses: ["11.0.0.2"] });
});

test.each([
  ["*", "any.example", true],
  ["example.com", "example.com", true],
  ["example.com", "a.example.com", false],
  ["*.example.com", "a.b.example.com", true],
  ["*.example.com", "example.com", false],
  ["cdn.*.com", "cdn.x.com", true],
  ["cdn.*.com", "cdn.com", false],
  ["a*a", "a", false],
  ["*a*b*", "xbxaxb", true],
  ["*b*a", "ab", false],
])("the glob %s and the name %s: %s", (glob, name, matches) => expect(matchesGlob(glob, name)).toBe(matches));

test("rejects an invalid stand-in", () => {
  for (const entries of [{ "http://a.test": "127.0.0.1:1" }, { "a.test": "127.0.0.1" }])
    expect(() => new Internet(entries)).toThrow("must map a host");
});

/** A query for one name. */
function query(name: string, type: number, flags = 0x0100): Buffer {
  const labels = name.split(".").map((label) => Buffer.from([label.length, ...Buffer.from(label)]));
  const header = Buffer.from([0x12, 0x34, flags >> 8, flags & 255, 0, 1, 0, 0, 0, 0, 0, 0]);
  return Buffer.concat([header, ...labels, Buffer.from([0, 0, type, 0, 1])]);
}

test("parses queries of DNS, and nothing else", () => {
  expect(parseQuery(query("API.Example.com", A))).toEqual({ name: "api.example.com", type: A });
  const valid = query("example.com", AAAA);
  expect(parseQuery(Buffer.concat([valid, Buffer.from("additional")]))).toEqual({ name: "example.com", type: AAAA });
  const compressed = Buffer.concat([valid.subarray(0, 12), Buffer.from([0xc0, 12, 0, 1, 0, 1])]);
  for (const bytes of [
    valid.subarray(0, -1),
    Buffer.alloc(0),
    query("example.com", A, 0x8100),
    compressed,
    query("a b", A),
  ])
    expect(parseQuery(bytes)).toBeUndefined();
});

test("creates responses of DNS", () => {
  const asked = query("example.com", A);
  const response = createResponse(asked, { addresses: ["93.184.216.34", "2606:2800:220:1::1"] }, true);
  const expected = "1234 8180 0001 0002 0000 0000".replaceAll(" ", "");
  const first = "c00c 0001 0001 00000001 0004 5db8d822".replaceAll(" ", "");
  const second = "c00c 001c 0001 00000001 0010 26062800022000010000000000000001".replaceAll(" ", "");
  expect(response.toString("hex")).toBe(`${expected}${asked.subarray(12).toString("hex")}${first}${second}`);
  expect(createResponse(asked, "missing", true).readUInt16BE(2)).toBe(0x8183);
  const many = { addresses: Array.from({ length: 40 }, () => "93.184.216.34") };
  const [cut, whole] = [createResponse(asked, many, true), createResponse(asked, many, false)];
  expect([cut.length, cut.readUInt16BE(2), whole.readUInt16BE(6)]).toEqual([asked.length, 0x8380, 40]);
});
