import * as z from "zod";
import { estimateTokens } from "../usage.ts";

const MAX_ECHO = 200;
const WORDS_PER_PIECE = 4;

const part = z.union([z.string(), z.looseObject({ text: z.string() }), z.looseObject({}).transform(() => "")]);
const content = z.union([z.string(), z.array(part)]).nullish();
const messages = z.array(z.looseObject({ role: z.string().default("user"), content }));
const chat = z.looseObject({ messages: messages.optional(), input: z.union([z.string(), messages]).optional() });

export interface Words {
  text: string;
  pieces: string[];
  tokensIn: number;
  tokensOut: number;
}

/** Returns the mock's reply: that it is a mock, and the start of the last message. @param json body of a chat of any provider @returns undefined without messages */
export function wordsFor(provider: string, model: string, json: unknown): Words | undefined {
  const parsed = chat.safeParse(json);
  if (!parsed.success) return undefined;
  const { input, messages: given = typeof input === "string" ? [{ role: "user", content: input }] : input } =
    parsed.data;
  if (given === undefined || given.length === 0) return undefined;
  const texts = given.map(({ content: said }) => textOf(said));
  const last = texts[given.findLastIndex(({ role }) => role === "user")] ?? "";
  const echo = last.length > MAX_ECHO ? `${last.slice(0, MAX_ECHO)}…` : last;
  const text = `This is a mock of ${provider} on the edge; ${model} was not called. You said: ${echo}`;
  const words = text.split(/(?<= )/);
  const pieces = Array.from({ length: Math.ceil(words.length / WORDS_PER_PIECE) }, (_, at) =>
    words.slice(at * WORDS_PER_PIECE, (at + 1) * WORDS_PER_PIECE).join(""),
  );
  return { text, pieces, tokensIn: estimateTokens(texts), tokensOut: estimateTokens([text]) };
}

function textOf(said: z.infer<typeof content>): string {
  if (typeof said === "string") return said;
  return (said ?? []).map((part) => (typeof part === "string" ? part : part.text)).join("\n");
}
