import { partnerErrors } from "#domain/errors/api/partners.ts";
import type { LogoType } from "#workers/contracts/api/people/partners.ts";
import { failure } from "../../http/failure.tsx";
import { safeSvg } from "./svg.ts";

export interface Logo {
  type: LogoType;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Signature of each raster format, with its offset. */
const SIGNATURES: readonly (readonly [LogoType, at: number, readonly number[]])[] = [
  ["image/png", 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ["image/jpeg", 0, [0xff, 0xd8, 0xff]],
  ["image/webp", 8, [0x57, 0x45, 0x42, 0x50]],
];
const RIFF = [0x52, 0x49, 0x46, 0x46];

/** Detects the type of a logo by its content. @throws Failure `invalid_request` for other files, and for an SVG with more than a drawing */
export function readLogo(bytes: Uint8Array<ArrayBuffer>): Logo {
  const [type] = SIGNATURES.find(([, at, signature]) => startsWith(bytes, at, signature)) ?? [];
  if (type === "image/webp" && !startsWith(bytes, 0, RIFF)) throw notAnImage();
  if (type !== undefined) return { type, bytes };
  return { type: "image/svg+xml", bytes: new Uint8Array(new TextEncoder().encode(safeSvg(textOf(bytes)))) };
}

const startsWith = (bytes: Uint8Array, at: number, signature: readonly number[]): boolean =>
  bytes.length > at + signature.length && signature.every((byte, index) => bytes[at + index] === byte);

function textOf(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
    if (/^\s*</.test(text)) return text;
  } catch {
    // Not text, so not SVG.
  }
  throw notAnImage();
}

const notAnImage = () => failure(partnerErrors.logo_not_an_image);
