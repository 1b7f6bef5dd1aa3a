/** Tokens that a call took, as the provider counts them, or estimated where it does not say. */
import * as z from "zod";
import { eventsOf, isEventStream, jsonOf } from "./events.ts";
import { textsOf } from "./text.ts";

export interface Usage {
  tokensIn: number;
  tokensOut: number;
}

/** Characters that are taken for one token. */
const CHARACTERS_A_TOKEN = 4;

const counts = z.looseObject({
  prompt_tokens: z.number().optional(),
  completion_tokens: z.number().optional(),
  input_tokens: z.number().optional(),
  output_tokens: z.number().optional(),
});
const inside = z.looseObject({ usage: counts.nullish() });
/** OpenAI has `usage` at the top, in its last chunk too; Anthropic's first event in `message`, OpenAI's responses in `response`. */
const answer = inside.extend({ message: inside.nullish().catch(null), response: inside.nullish().catch(null) });

/** @param contentType of the answer */
export function usageOf(request: string, response: string, contentType: string | null): Usage {
  let tokensIn: number | undefined;
  let tokensOut: number | undefined;
  for (const one of isEventStream(contentType) ? eventsOf(response) : [jsonOf(response)]) {
    const parsed = answer.safeParse(one);
    if (!parsed.success) continue;
    for (const usage of [parsed.data.message?.usage, parsed.data.response?.usage, parsed.data.usage]) {
      tokensIn = usage?.prompt_tokens ?? usage?.input_tokens ?? tokensIn;
      tokensOut = usage?.completion_tokens ?? usage?.output_tokens ?? tokensOut;
    }
  }
  return {
    tokensIn: tokensIn ?? estimatedTokens(textsOf(request, "application/json")),
    tokensOut: tokensOut ?? estimatedTokens(textsOf(response, contentType)),
  };
}

export function estimatedTokens(texts: readonly string[]): number {
  return Math.ceil(texts.reduce((sum, text) => sum + text.length, 0) / CHARACTERS_A_TOKEN);
}
