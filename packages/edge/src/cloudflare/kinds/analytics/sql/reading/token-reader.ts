import { invalidInput, type SqlError } from "../sql-error.ts";
import { type Token, tokenize } from "./tokens.ts";

/** Bound the recursion over an expression and its size. */
const MOST_NESTED = 50;
const MOST_OPERATORS = 1_000;

export class TokenReader {
  readonly #tokens: readonly Token[];
  #at = 0;
  #nested = 0;
  #operators = 0;

  constructor(sql: string) {
    this.#tokens = tokenize(sql);
  }

  peek(ahead = 0): Token {
    return this.#tokens[this.#at + ahead] ?? { kind: "end", text: "EOF" };
  }

  next(): Token {
    const token = this.peek();
    this.#at += 1;
    return token;
  }

  isKeyword(word: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === "word" && token.text.toUpperCase() === word;
  }

  isSymbol(symbol: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === "symbol" && token.text === symbol;
  }

  /** Consumes the words if all of them follow. */
  takesKeywords(...words: readonly string[]): boolean {
    if (!words.every((word, ahead) => this.isKeyword(word, ahead))) return false;
    this.#at += words.length;
    return true;
  }

  takesSymbol(symbol: string): boolean {
    if (!this.isSymbol(symbol)) return false;
    this.#at += 1;
    return true;
  }

  expectSymbol(symbol: string): void {
    if (!this.takesSymbol(symbol)) throw this.unexpected(symbol);
  }

  expectKeyword(word: string): void {
    if (!this.takesKeywords(word)) throw this.unexpected(word);
  }

  list<T>(one: () => T): T[] {
    const found = [one()];
    while (this.takesSymbol(",")) found.push(one());
    return found;
  }

  nested<T>(read: () => T): T {
    if (this.#nested >= MOST_NESTED) throw invalidInput("sql parser error: recursion limit exceeded");
    this.#nested += 1;
    try {
      return read();
    } finally {
      this.#nested -= 1;
    }
  }

  countOperator(): void {
    this.#operators += 1;
    if (this.#operators > MOST_OPERATORS)
      throw invalidInput(`the local edge allows at most ${MOST_OPERATORS} operators in a query`);
  }

  unexpected(expected: string): SqlError {
    return invalidInput(`sql parser error: Expected ${expected}, found: ${this.peek().text}`);
  }
}
