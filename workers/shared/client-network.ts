/** Returns the client's IPv4 address or IPv6 /64 network, for rate limits; empty when unknown. */
export function clientNetwork(headers: Headers): string {
  return networkOf(headers.get("cf-connecting-ip") ?? "");
}

export function networkOf(address: string): string {
  if (!address.includes(":") || address.includes(".")) return address;
  const [before = [], after = []] = address.split("::").map((half) => (half === "" ? [] : half.split(":")));
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill("0");
  const groups = [...before, ...zeros, ...after].slice(0, 4);
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":");
}
