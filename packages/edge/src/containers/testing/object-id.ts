import { createHash, createHmac } from "node:crypto";

/** The id that workerd gives the object of a name. @param key what the ids of its class are made from */
export function objectId(key: string, name: string): string {
  const secret = createHash("sha256").update(key).digest();
  const half = (of: string | Buffer) => createHmac("sha256", secret).update(of).digest().subarray(0, 16);
  const ofName = half(name);
  return Buffer.concat([ofName, half(ofName)]).toString("hex");
}
