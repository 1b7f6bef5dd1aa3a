/** Creates the self-signed X.509 certificate that Access publishes beside each key (RFC 5280, section 4.1). */
import { createPrivateKey, createPublicKey, randomBytes, sign } from "node:crypto";

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OBJECT_ID = 0x06;
const UTF8_STRING = 0x0c;
const GENERALIZED_TIME = 0x18;
const VERSION = 0xa0;

const SHA256_WITH_RSA = encodeDer(
  SEQUENCE,
  encodeDer(OBJECT_ID, Buffer.from("2a864886f70d01010b", "hex")),
  Buffer.from([0x05, 0x00]),
);
const COMMON_NAME = encodeDer(OBJECT_ID, Buffer.from("550403", "hex"));

/** @param privateKey RSA key as PKCS #8 PEM @param name common name of subject and issuer @returns PEM */
export function selfSignedCertificate(privateKey: string, name: string, from: Date, until: Date): string {
  const key = createPrivateKey(privateKey);
  const subject = encodeDer(
    SEQUENCE,
    encodeDer(SET, encodeDer(SEQUENCE, COMMON_NAME, encodeDer(UTF8_STRING, Buffer.from(name)))),
  );
  const signed = encodeDer(
    SEQUENCE,
    encodeDer(VERSION, encodeDer(INTEGER, Buffer.from([2]))),
    encodeDer(INTEGER, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    SHA256_WITH_RSA,
    subject,
    encodeDer(SEQUENCE, derTime(from), derTime(until)),
    subject,
    createPublicKey(key).export({ type: "spki", format: "der" }),
  );
  const signature = sign("sha256", signed, key);
  const body = encodeDer(
    SEQUENCE,
    signed,
    SHA256_WITH_RSA,
    encodeDer(BIT_STRING, Buffer.from([0]), signature),
  ).toString("base64");
  return `-----BEGIN CERTIFICATE-----\n${body.replace(/.{64}/g, "$&\n").trimEnd()}\n-----END CERTIFICATE-----\n`;
}

function derTime(date: Date): Buffer {
  return encodeDer(GENERALIZED_TIME, Buffer.from(`${date.toISOString().slice(0, 19).replace(/\D/g, "")}Z`));
}

function encodeDer(tag: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const length = Buffer.from(
    body.length.toString(16).padStart(body.length > 0xffff ? 6 : body.length > 0xff ? 4 : 2, "0"),
    "hex",
  );
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, body]);
}
