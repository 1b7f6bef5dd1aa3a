/** What counts as one caller of those who need no login. */

/** An IPv4 address, or the IPv6 network of 64 bits that one machine has to itself; empty when nothing is known. */
export function clientNetwork(headers: Headers): string {
  return networkOf(headers.get("cf-connecting-ip") ?? "");
}

/** @param address as the platform in front writes it */
export function networkOf(address: string): string {
  if (!address.includes(":") || address.includes(".")) return address;
  const [before = [], after = []] = address.split("::").map((half) => (half === "" ? [] : half.split(":")));
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill("0");
  const groups = [...before, ...zeros, ...after].slice(0, 4);
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":");
}
