/** Pictures that may be logos, told by their bytes: what a caller says of them counts for nothing. */
import type { LogoType } from "#workers/contracts/api/people/partners.ts";
import { Failure } from "../../http/failure.tsx";
import { safeSvg } from "./svg.ts";

export interface Logo {
  type: LogoType;
  bytes: Uint8Array<ArrayBuffer>;
}

/** How each raster format begins, and at which byte. */
const SIGNATURES: readonly (readonly [LogoType, at: number, readonly number[]])[] = [
  ["image/png", 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ["image/jpeg", 0, [0xff, 0xd8, 0xff]],
  ["image/webp", 8, [0x57, 0x45, 0x42, 0x50]],
];
const RIFF = [0x52, 0x49, 0x46, 0x46];

/** @throws Failure `invalid_request` for what is no picture of these kinds, or an SVG that holds more than a drawing */
export function readLogo(bytes: Uint8Array<ArrayBuffer>): Logo {
  const [type] = SIGNATURES.find(([, at, signature]) => begins(bytes, at, signature)) ?? [];
  if (type === "image/webp" && !begins(bytes, 0, RIFF)) throw noPicture();
  if (type !== undefined) return { type, bytes };
  return { type: "image/svg+xml", bytes: new Uint8Array(new TextEncoder().encode(safeSvg(textOf(bytes)))) };
}

function begins(bytes: Uint8Array, at: number, signature: readonly number[]): boolean {
  return bytes.length > at + signature.length && signature.every((byte, index) => bytes[at + index] === byte);
}

function textOf(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
    if (/^\s*</.test(text)) return text;
  } catch {
    // No text, and so no SVG.
  }
  throw noPicture();
}

const noPicture = () => new Failure("invalid_request", "That is no picture; send a PNG, JPEG, WebP or SVG.");
