/** X.509 certificates (RFC 5280, section 4.1). */
import { createHash, createPublicKey, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIP } from "node:net";
import { addressBytes } from "./address-bytes.ts";
import {
  BIT_STRING,
  BOOLEAN,
  derTime,
  encodeDer,
  INTEGER,
  OCTET_STRING,
  objectId,
  SEQUENCE,
  SET,
  UTF8_STRING,
} from "./der.ts";

const VERSION = 0xa0;
const EXTENSIONS = 0xa3;
const KEY_IDENTIFIER = 0x80;
const DNS_NAME = 0x82;
const IP_ADDRESS = 0x87;

const SHA256_WITH_RSA = encodeDer(SEQUENCE, objectId("2a864886f70d01010b"), Buffer.from([0x05, 0x00]));
const ECDSA_WITH_SHA256 = encodeDer(SEQUENCE, objectId("2a8648ce3d040302"));
const COMMON_NAME = objectId("550403");
const SUBJECT_KEY_ID = objectId("551d0e");
const KEY_USAGE = objectId("551d0f");
const ALTERNATIVE_NAME = objectId("551d11");
const BASIC_CONSTRAINTS = objectId("551d13");
const AUTHORITY_KEY_ID = objectId("551d23");
const EXTENDED_KEY_USAGE = objectId("551d25");
const SERVER_AUTH = objectId("2b06010505070301");

export interface CertificateTerms {
  /** Common name of the subject. */
  name: string;
  from: Date;
  until: Date;
  /** From {@link authorityExtensions} or {@link serverExtensions}. Default: none */
  extensions?: Buffer[];
}

/** Issues a certificate of the public part of `key`, signed by the issuer's private key (RSA or P-256). @returns PEM */
export function issueCertificate(
  key: KeyObject,
  { name, from, until, extensions = [] }: CertificateTerms,
  issuer: { name: string; key: KeyObject },
): string {
  const algorithm = issuer.key.asymmetricKeyType === "rsa" ? SHA256_WITH_RSA : ECDSA_WITH_SHA256;
  const signed = encodeDer(
    SEQUENCE,
    encodeDer(VERSION, encodeDer(INTEGER, Buffer.from([2]))),
    encodeDer(INTEGER, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    distinguishedName(issuer.name),
    encodeDer(SEQUENCE, derTime(from), derTime(until)),
    distinguishedName(name),
    publicKeyOf(key),
    ...(extensions.length > 0 ? [encodeDer(EXTENSIONS, encodeDer(SEQUENCE, ...extensions))] : []),
  );
  const signature = encodeDer(BIT_STRING, Buffer.from([0]), sign("sha256", signed, issuer.key));
  const body = encodeDer(SEQUENCE, signed, algorithm, signature).toString("base64");
  return `-----BEGIN CERTIFICATE-----\n${body.replace(/.{64}/g, "$&\n").trimEnd()}\n-----END CERTIFICATE-----\n`;
}

/** Extensions of an authority that issues certificates of servers only. */
export const authorityExtensions = (key: KeyObject): Buffer[] => [
  // An authority, with none below it.
  extension(
    BASIC_CONSTRAINTS,
    true,
    encodeDer(SEQUENCE, encodeDer(BOOLEAN, Buffer.from([0xff])), encodeDer(INTEGER, Buffer.from([0]))),
  ),
  // keyCertSign
  extension(KEY_USAGE, true, encodeDer(BIT_STRING, Buffer.from([2, 0x04]))),
  extension(SUBJECT_KEY_ID, false, encodeDer(OCTET_STRING, keyIdentifier(key))),
];

/** Extensions of a server's certificate. @param host name or IP address */
export const serverExtensions = (host: string, key: KeyObject, issuer: KeyObject): Buffer[] => [
  extension(BASIC_CONSTRAINTS, true, encodeDer(SEQUENCE)),
  // digitalSignature
  extension(KEY_USAGE, true, encodeDer(BIT_STRING, Buffer.from([7, 0x80]))),
  extension(EXTENDED_KEY_USAGE, false, encodeDer(SEQUENCE, SERVER_AUTH)),
  extension(SUBJECT_KEY_ID, false, encodeDer(OCTET_STRING, keyIdentifier(key))),
  extension(AUTHORITY_KEY_ID, false, encodeDer(SEQUENCE, encodeDer(KEY_IDENTIFIER, keyIdentifier(issuer)))),
  extension(ALTERNATIVE_NAME, false, encodeDer(SEQUENCE, alternativeName(host))),
];

const distinguishedName = (name: string): Buffer =>
  encodeDer(SEQUENCE, encodeDer(SET, encodeDer(SEQUENCE, COMMON_NAME, encodeDer(UTF8_STRING, Buffer.from(name)))));

const publicKeyOf = (key: KeyObject): Buffer =>
  (key.type === "private" ? createPublicKey(key) : key).export({ type: "spki", format: "der" });

const keyIdentifier = (key: KeyObject): Buffer => createHash("sha1").update(publicKeyOf(key)).digest();

const extension = (id: Buffer, isCritical: boolean, value: Buffer): Buffer =>
  encodeDer(
    SEQUENCE,
    id,
    ...(isCritical ? [encodeDer(BOOLEAN, Buffer.from([0xff]))] : []),
    encodeDer(OCTET_STRING, value),
  );

function alternativeName(host: string): Buffer {
  return isIP(host) === 0 ? encodeDer(DNS_NAME, Buffer.from(host)) : encodeDer(IP_ADDRESS, addressBytes(host));
}
