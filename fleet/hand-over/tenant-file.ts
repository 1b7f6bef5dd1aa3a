/** Files of stacks as a hand-over writes and changes them: comments and form of what stays are kept. */
import { isDeepStrictEqual } from "node:util";
import { type Document, isAlias, isMap, isSeq, parseDocument, stringify, visit, type YAMLSeq } from "yaml";
import type { Encryption } from "#automation/engine/project.ts";
import { type TenantsStack, tenantsConfig } from "#domain/tenants/tenant-declaration.ts";
import { readStackFile } from "../files/stack-file.ts";

const CLIENTS = ["config", "tenantry:clients"];
const WIDTH = 120;

export interface NewFile extends TenantsStack {
  /** How the stack is encrypted, as its file says it; empty while it says nothing. */
  encryption: Encryption;
}

/** A new stack's file. */
export function stackFileText({ encryption, ...stack }: NewFile): string {
  return stringify({ ...encryption, config: tenantsConfig(stack) }, { lineWidth: WIDTH });
}

/** Whether two files of a stack declare the same, whatever their form; of its encryption one may say nothing. @throws Error for what is none */
export function declaresSame(stack: string, left: string, right: string): boolean {
  const [one, other] = [readStackFile(stack, left), readStackFile(stack, right)];
  const rest = ({ config }: typeof one) => Object.keys(config).filter((key) => !key.startsWith("tenantry:"));
  const saysNothing = [one, other].some(({ encryption }) => Object.keys(encryption).length === 0);
  return (
    isDeepStrictEqual(one.settings, other.settings) &&
    isDeepStrictEqual(rest(one), rest(other)) &&
    (saysNothing || isDeepStrictEqual(one.encryption, other.encryption))
  );
}

/** What a file declares of one client, to be declared elsewhere. */
export interface Entry {
  node: unknown;
  document: Document;
}

/** @returns `undefined` where the file declares no such client */
export function entryOf(text: string, slug: string): Entry | undefined {
  const document = parseDocument(text);
  const clients = clientsOf(document);
  const index = indexOf(clients, slug);
  const node = clients?.items[index];
  if (node === undefined) return undefined;
  if (isMap(node) && index === 0) node.commentBefore ??= clients?.commentBefore ?? null;
  return { node, document };
}

/** The file without one client. @returns the same where it declares no such client */
export function withoutClient(text: string, slug: string): string {
  const document = parseDocument(text);
  const clients = clientsOf(document);
  const index = indexOf(clients, slug);
  if (clients === undefined || index < 0) return text;
  clients.items.splice(index, 1);
  // What stands above the first entry is read as the list's.
  if (index === 0) clients.commentBefore = null;
  if (clients.items.length === 0) clients.flow = true;
  return printed(document, text);
}

/** The file with one client more, at the end, as another file declared it. */
export function withClient(text: string, { node, document: source }: Entry): string {
  const document = parseDocument(text);
  const added = portable(node, source, document);
  const clients = clientsOf(document);
  if (clients === undefined) document.setIn(CLIENTS, document.createNode([added]));
  else {
    // An empty list is written in brackets.
    if (clients.items.length === 0) clients.flow = false;
    clients.items.push(added);
  }
  return printed(document, text);
}

/** With its comments, unless it refers to something that stays behind. */
function portable(node: unknown, source: Document, document: Document): unknown {
  if (!isMap(node)) return document.createNode(node);
  let refers = false;
  visit(node, (_key, part) => {
    refers ||= isAlias(part);
  });
  return refers ? document.createNode(node.toJS(source)) : node.clone();
}

function clientsOf(document: Document): YAMLSeq | undefined {
  const clients = document.getIn(CLIENTS);
  return isSeq(clients) ? clients : undefined;
}

const indexOf = (clients: YAMLSeq | undefined, slug: string): number =>
  clients?.items.findIndex((item) => isMap(item) && item.get("slug") === slug) ?? -1;

/** Lists are indented as they were. */
const printed = (document: Document, before: string): string =>
  document.toString({ lineWidth: 0, indentSeq: !/^( *)[^\s#-][^\n]*:[^\n\S]*\n\1- /m.test(before) });
