import { invalidInput } from "../sql-error.ts";

export interface Token {
  /** A `name` is quoted, so never a keyword. */
  kind: "word" | "name" | "number" | "string" | "symbol" | "end";
  text: string;
}

const PIECES: readonly (readonly [Exclude<Token["kind"], "end"> | "blank", RegExp])[] = [
  ["blank", /\s+|--[^\n]*|\/\*.*?\*\//sy],
  ["word", /[A-Za-z_][A-Za-z0-9_]*/y],
  ["number", /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y],
  ["string", /'(?:[^']|'')*'/y],
  ["name", /"(?:[^"]|"")+"|`(?:[^`]|``)+`/y],
  ["symbol", /<=|>=|<>|!=|[-+*/%=<>(),;]/y],
];

export function tokenize(sql: string): Token[] {
  const found: Token[] = [];
  let at = 0;
  while (at < sql.length) {
    const [kind, text] = pieceAt(sql, at);
    at += text.length;
    if (kind !== "blank") found.push({ kind, text: kind === "string" || kind === "name" ? unquoteToken(text) : text });
  }
  found.push({ kind: "end", text: "EOF" });
  return found;
}

function pieceAt(sql: string, at: number): [(typeof PIECES)[number][0], string] {
  for (const [kind, pattern] of PIECES) {
    pattern.lastIndex = at;
    const text = pattern.exec(sql)?.[0];
    const isOpen = kind === "symbol" && sql.startsWith("/*", at);
    if (text !== undefined && !isOpen) return [kind, text];
  }
  const rest = sql.slice(at, at + 2);
  if (rest.startsWith("'")) throw invalidInput("sql parser error: Unterminated string literal");
  if (rest.startsWith("/*")) throw invalidInput("sql parser error: Unexpected EOF while in a multi-line comment");
  throw invalidInput(`sql parser error: Unexpected character: ${String.fromCodePoint(sql.codePointAt(at) ?? 0)}`);
}

function unquoteToken(text: string): string {
  const quote = text.charAt(0);
  // Cloudflare does not document whether a backslash is an escape.
  if (text.includes("\\")) throw invalidInput("the local edge does not support backslashes in quotes");
  return text.slice(1, -1).replaceAll(quote + quote, quote);
}
