/** DER encoding of ASN.1 (ITU-T X.690), as far as certificates need it. */

export const SEQUENCE = 0x30;
export const SET = 0x31;
export const BOOLEAN = 0x01;
export const INTEGER = 0x02;
export const BIT_STRING = 0x03;
export const OCTET_STRING = 0x04;
export const OBJECT_ID = 0x06;
export const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const GENERALIZED_TIME = 0x18;

export function encodeDer(tag: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const length = Buffer.from(
    body.length.toString(16).padStart(body.length > 0xffff ? 6 : body.length > 0xff ? 4 : 2, "0"),
    "hex",
  );
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, body]);
}

/** @param hex content of the identifier */
export const objectId = (hex: string): Buffer => encodeDer(OBJECT_ID, Buffer.from(hex, "hex"));

/** Years before 2050 have two digits (RFC 5280, section 4.1.2.5). */
export function derTime(date: Date): Buffer {
  const digits = date.toISOString().slice(0, 19).replace(/\D/g, "");
  return date.getUTCFullYear() < 2050
    ? encodeDer(UTC_TIME, Buffer.from(`${digits.slice(2)}Z`))
    : encodeDer(GENERALIZED_TIME, Buffer.from(`${digits}Z`));
}
