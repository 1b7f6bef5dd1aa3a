import * as z from "zod";

export interface Sender {
  name: string;
  address: string;
}

const address = z.email();

/** Parses `Name <address>` or an address. @returns `undefined` for other texts */
export function parseSender(text: string): Sender | undefined {
  const [, name = "", angled] = /^ *([^<>\p{Cc}]*?) *<([^<>]*)> *$/u.exec(text) ?? [];
  const read = address.safeParse(angled ?? text.trim());
  return read.success ? { name: name.replaceAll('"', ""), address: read.data } : undefined;
}

export function domainOf({ address }: Sender): string {
  return address.slice(address.lastIndexOf("@") + 1);
}
