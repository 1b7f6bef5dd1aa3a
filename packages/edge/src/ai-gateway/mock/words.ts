/** What the mock says: that it is one, and the beginning of what it was told last. */
import * as z from "zod";
import { estimatedTokens } from "../usage.ts";

/** Characters of the last message that are said back. */
const MOST_ECHOED = 200;
/** Words of one piece of a stream. */
const WORDS_A_PIECE = 4;

const part = z.union([z.string(), z.looseObject({ text: z.string() }), z.looseObject({}).transform(() => "")]);
const content = z.union([z.string(), z.array(part)]).nullish();
const messages = z.array(z.looseObject({ role: z.string().default("user"), content }));
const asked = z.looseObject({
  messages: messages.optional(),
  input: z.union([z.string(), messages]).optional(),
});

export interface Words {
  text: string;
  /** The same, as a stream has it. */
  pieces: string[];
  tokensIn: number;
  tokensOut: number;
}

/** @param json a body of any provider's chat. @returns nothing when it holds no messages */
export function wordsFor(provider: string, model: string, json: unknown): Words | undefined {
  const parsed = asked.safeParse(json);
  if (!parsed.success) return undefined;
  const { input, messages: given = typeof input === "string" ? [{ role: "user", content: input }] : input } =
    parsed.data;
  if (given === undefined || given.length === 0) return undefined;
  const texts = given.map(({ content: said }) => textOf(said));
  const last = texts[given.findLastIndex(({ role }) => role === "user")] ?? "";
  const echo = last.length > MOST_ECHOED ? `${last.slice(0, MOST_ECHOED)}…` : last;
  const text = `This is a mock of ${provider} on the local edge; ${model} was not asked. You said: ${echo}`;
  const words = text.split(/(?<= )/);
  const pieces = Array.from({ length: Math.ceil(words.length / WORDS_A_PIECE) }, (_, at) =>
    words.slice(at * WORDS_A_PIECE, (at + 1) * WORDS_A_PIECE).join(""),
  );
  return { text, pieces, tokensIn: estimatedTokens(texts), tokensOut: estimatedTokens([text]) };
}

function textOf(said: z.infer<typeof content>): string {
  if (typeof said === "string") return said;
  return (said ?? []).map((one) => (typeof one === "string" ? one : one.text)).join("\n");
}
