import { isIP } from "node:net";

/** Returns an IP address as four or sixteen bytes. */
export function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split(".").map(Number));
  const { hostname } = new URL(`http://[${address}]`);
  const [head = "", tail = ""] = hostname.slice(1, -1).split("::").map(joinGroups);
  return Buffer.from(`${head}${"0".repeat(32 - head.length - tail.length)}${tail}`, "hex");
}

const joinGroups = (groups: string): string =>
  groups === ""
    ? ""
    : groups
        .split(":")
        .map((group) => group.padStart(4, "0"))
        .join("");
