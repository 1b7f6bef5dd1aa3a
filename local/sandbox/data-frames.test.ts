import fc from "fast-check";
import { expect, test } from "vitest";
import { DataFrames } from "./data-frames.ts";

function frame(opcode: number, length: number): Buffer {
  const mask = Buffer.from([1, 2, 3, 4]);
  const payload = Buffer.alloc(length, 0xff);
  if (length < 126) return Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | length]), mask, payload]);
  const wide = length > 65_535;
  const extended = Buffer.alloc(wide ? 8 : 2);
  if (wide) extended.writeBigUInt64BE(BigInt(length));
  else extended.writeUInt16BE(length);
  return Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | (wide ? 127 : 126)]), extended, mask, payload]);
}

const control = fc.record({ opcode: fc.constantFrom(8, 9, 10), length: fc.nat(125) });
const data = fc.record({ opcode: fc.constantFrom(0, 1, 2), length: fc.oneof(fc.nat(300), fc.constant(70_000)) });
const cuts = fc.array(fc.nat(100_000), { maxLength: 20 });

/** The bytes, cut anywhere. */
function pieces(bytes: Buffer, at: number[]): Buffer[] {
  const places = [...new Set(at.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...places, bytes.length].map((end, i) => bytes.subarray(places[i - 1] ?? 0, end));
}

const sawData = (seer: DataFrames, parts: Buffer[]): boolean =>
  parts.map((part) => seer.sees(part)).some((seen) => seen);

test("control frames are no data, however they are cut", () => {
  fc.assert(
    fc.property(fc.array(control, { maxLength: 20 }), cuts, (frames, at) => {
      const seer = new DataFrames();
      const bytes = Buffer.concat(frames.map(({ opcode, length }) => frame(opcode, length)));
      expect(sawData(seer, pieces(bytes, at))).toBe(false);
    }),
  );
});

test("a data frame among control frames is seen, and those after it are not taken for data", () => {
  fc.assert(
    fc.property(
      fc.array(control, { maxLength: 5 }),
      data,
      fc.array(control, { maxLength: 5 }),
      cuts,
      (a, one, b, at) => {
        const seer = new DataFrames();
        const bytes = (frames: { opcode: number; length: number }[]) =>
          Buffer.concat(frames.map(({ opcode, length }) => frame(opcode, length)));
        expect(sawData(seer, pieces(bytes([...a, one]), at))).toBe(true);
        expect(sawData(seer, pieces(bytes(b), at))).toBe(false);
      },
    ),
  );
});
