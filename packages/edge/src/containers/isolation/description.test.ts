import { expect, test } from "vitest";
import { controllers } from "./cgroups.ts";
import { describeIsolation } from "./description.ts";
import { seccompFilter } from "./seccomp.ts";
import { chooseRange, insideId, outsideId, RANGE } from "./users.ts";

const shared = { kind: "shared", reason: undefined } as const;

test("one line names what is not isolated", () => {
  const lines = [
    describeIsolation({
      confinement: { kind: "namespaces", users: "range", filter: true },
      ...{ limited: controllers, network: { kind: "own" }, disks: { kind: "images" } },
    }),
    describeIsolation({
      confinement: { kind: "namespaces", users: "edge", filter: false },
      ...{ limited: [], network: shared, disks: { kind: "directories", reason: "images need root" } },
    }),
    describeIsolation({
      confinement: { kind: "none", reason: "darwin has no namespaces" },
      ...{ limited: [], network: shared, disks: { kind: "directories", reason: "images need namespaces" } },
    }),
  ];
  expect(lines).toEqual([
    "Each container runs in its own namespaces, with limits of memory, processes, CPU and disk space.",
    "Each container runs in its own namespaces. Not isolated: they share the machine's network; memory, number of processes, and CPU are not limited; disk space is not limited (images need root); they share your user id; system calls are not filtered, which needs Perl.",
    "Containers are not confined: darwin has no namespaces. They run as your plain processes.",
  ]);
});

test("ranges of user ids never overlap, and are the same for the same container", () => {
  const taken = new Set<number>();
  for (let at = 0; at < 300; at += 1) taken.add(chooseRange("one name", taken));
  expect(taken.size).toBe(300);
  const sorted = [...taken].toSorted((a, b) => a - b);
  expect(sorted.every((first, at) => at === 0 || first - (sorted[at - 1] ?? 0) >= RANGE)).toBe(true);
  const first = chooseRange("one name", new Set());
  expect(taken.has(first)).toBe(true);
  expect([outsideId({ users: "range", first }), insideId({ users: "range", first })]).toEqual([first + 1_000, 1_000]);
  expect([outsideId({ users: "edge", first }), insideId({ users: "edge", first })]).toEqual([undefined, 0]);
});

/** Runs a filter as the kernel does. @returns its verdict */
function verdict(filter: Buffer, call: { audit: number; number: number; argument?: number }): number {
  const data = new Map([
    [0, call.number],
    [4, call.audit],
    [16, call.argument ?? 0],
  ]);
  let loaded = 0;
  for (let at = 0; at < filter.length / 8; at += 1) {
    const code = filter.readUInt16LE(at * 8);
    const value = filter.readUInt32LE(at * 8 + 4);
    const holds = { 21: loaded === value, 53: loaded >= value, 69: (loaded & value) !== 0 }[code];
    if (code === 0x06) return value;
    if (code === 0x20) loaded = data.get(value) ?? 0;
    else at += filter.readUInt8(at * 8 + (holds ? 2 : 3));
  }
  throw new Error("the filter does not end");
}

test.each([
  { arch: "x64", audit: 0xc000_003e, clone: 56, mount: 165, getpid: 39 },
  { arch: "arm64", audit: 0xc000_00b7, clone: 220, mount: 40, getpid: 172 },
])("the filter of $arch refuses namespaces, mounts and other interfaces", ({ arch, audit, clone, mount, getpid }) => {
  const filter = seccompFilter(arch) ?? Buffer.alloc(0);
  const [allow, eperm, enosys] = [0x7fff_0000, 0x5_0001, 0x5_0026];
  expect(verdict(filter, { audit, number: getpid })).toBe(allow);
  expect(verdict(filter, { audit, number: mount })).toBe(eperm);
  expect(verdict(filter, { audit, number: clone, argument: 17 })).toBe(allow);
  expect(verdict(filter, { audit, number: clone, argument: 0x1000_0000 + 17 })).toBe(eperm);
  expect(verdict(filter, { audit, number: 435 })).toBe(enosys);
  expect(verdict(filter, { audit, number: 0x4000_0000 + getpid })).toBe(enosys);
  expect(verdict(filter, { audit: 0x4000_0003, number: getpid })).toBe(enosys);
});
