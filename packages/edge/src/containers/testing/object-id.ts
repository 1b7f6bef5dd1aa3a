import { createHash, createHmac } from "node:crypto";

/** Returns the id that workerd gives to the object of a name. @param key seed of the ids of its class */
export function objectId(key: string, name: string): string {
  const secret = createHash("sha256").update(key).digest();
  const half = (of: string | Buffer) => createHmac("sha256", secret).update(of).digest().subarray(0, 16);
  const ofName = half(name);
  return Buffer.concat([ofName, half(ofName)]).toString("hex");
}
