/** Whom mails are from. */
import * as z from "zod";

export interface Sender {
  /** Shown beside the address; empty when there is none. */
  name: string;
  address: string;
}

const address = z.email();

/** Reads `Name <address>` or an address alone; `undefined` for anything else. */
export function parseSender(text: string): Sender | undefined {
  const [, name = "", angled] = /^ *([^<>\p{Cc}]*?) *<([^<>]*)> *$/u.exec(text) ?? [];
  const read = address.safeParse(angled ?? text.trim());
  return read.success ? { name: name.replaceAll('"', ""), address: read.data } : undefined;
}

/** The part after the @, of which ids of messages are made. */
export function domainOf({ address }: Sender): string {
  return address.slice(address.lastIndexOf("@") + 1);
}
