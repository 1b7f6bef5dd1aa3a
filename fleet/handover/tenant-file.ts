/** Writes and edits files of stacks. Keeps comments and formatting of what it does not change. */
import { isDeepStrictEqual } from "node:util";
import { type Document, isAlias, isMap, isSeq, parseDocument, stringify, visit, type YAMLSeq } from "yaml";
import type { Encryption } from "#automation/engine/project.ts";
import { type TenantsStack, tenantsConfig } from "#domain/tenants/tenant-declaration.ts";
import { readStackFile } from "../files/stack-file.ts";

const CLIENTS = ["config", "tenantry:clients"];
const WIDTH = 120;

export interface NewFile extends TenantsStack {
  /** Lines of the file that say how the stack is encrypted; empty if it has none. */
  encryption: Encryption;
}

export function stackFileText({ encryption, ...stack }: NewFile): string {
  return stringify({ ...encryption, config: tenantsConfig(stack) }, { lineWidth: WIDTH });
}

/** Whether two files declare the same. Ignores formatting, and the encryption if one has none. @throws Error for an invalid file */
export function declaresSame(stack: string, left: string, right: string): boolean {
  const [first, second] = [readStackFile(stack, left), readStackFile(stack, right)];
  const rest = ({ config }: typeof first) => Object.keys(config).filter((key) => !key.startsWith("tenantry:"));
  const lacksEncryption = [first, second].some(({ encryption }) => Object.keys(encryption).length === 0);
  return (
    isDeepStrictEqual(first.settings, second.settings) &&
    isDeepStrictEqual(rest(first), rest(second)) &&
    (lacksEncryption || isDeepStrictEqual(first.encryption, second.encryption))
  );
}

/** Declaration of one client, which can be added to another file. */
export interface Entry {
  node: unknown;
  document: Document;
}

/** @returns `undefined` if the file does not declare the client */
export function entryOf(text: string, slug: string): Entry | undefined {
  const document = parseDocument(text);
  const clients = clientsOf(document);
  const index = indexOf(clients, slug);
  const node = clients?.items[index];
  if (node === undefined) return undefined;
  if (isMap(node) && index === 0) node.commentBefore ??= clients?.commentBefore ?? null;
  return { node, document };
}

/** Removes a client. Returns the text unchanged if it does not declare the client. */
export function withoutClient(text: string, slug: string): string {
  const document = parseDocument(text);
  const clients = clientsOf(document);
  const index = indexOf(clients, slug);
  if (clients === undefined || index < 0) return text;
  clients.items.splice(index, 1);
  // The parser takes a comment above the first entry as the list's.
  if (index === 0) clients.commentBefore = null;
  if (clients.items.length === 0) clients.flow = true;
  return printDocument(document, text);
}

/** Adds a client at the end. */
export function withClient(text: string, { node, document: source }: Entry): string {
  const document = parseDocument(text);
  const added = copyNode(node, source, document);
  const clients = clientsOf(document);
  if (clients === undefined) document.setIn(CLIENTS, document.createNode([added]));
  else {
    // An empty list is in flow style.
    if (clients.items.length === 0) clients.flow = false;
    clients.items.push(added);
  }
  return printDocument(document, text);
}

/** Clones a node with its comments, or without them if it has aliases of the source document. */
function copyNode(node: unknown, source: Document, document: Document): unknown {
  if (!isMap(node)) return document.createNode(node);
  let hasAlias = false;
  visit(node, (_key, part) => {
    hasAlias ||= isAlias(part);
  });
  return hasAlias ? document.createNode(node.toJS(source)) : node.clone();
}

function clientsOf(document: Document): YAMLSeq | undefined {
  const clients = document.getIn(CLIENTS);
  return isSeq(clients) ? clients : undefined;
}

const indexOf = (clients: YAMLSeq | undefined, slug: string): number =>
  clients?.items.findIndex((item) => isMap(item) && item.get("slug") === slug) ?? -1;

/** Keeps the indentation of lists. */
export const printDocument = (document: Document, before: string): string =>
  document.toString({ lineWidth: 0, indentSeq: !/^( *)[^\s#-][^\n]*:[^\n\S]*\n\1- /m.test(before) });
