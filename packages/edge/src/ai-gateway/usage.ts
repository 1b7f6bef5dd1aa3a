import * as z from "zod";
import { isEventStream, parseEvents, parseJson } from "./events.ts";
import { textsOf } from "./text.ts";

export interface Usage {
  tokensIn: number;
  tokensOut: number;
}

const CHARACTERS_PER_TOKEN = 4;

const counts = z.looseObject({
  prompt_tokens: z.number().optional(),
  completion_tokens: z.number().optional(),
  input_tokens: z.number().optional(),
  output_tokens: z.number().optional(),
});
const inside = z.looseObject({ usage: counts.nullish() });
/** OpenAI has `usage` at the top level, Anthropic's first event in `message`, OpenAI's responses in `response`. */
const body = inside.extend({ message: inside.nullish().catch(null), response: inside.nullish().catch(null) });

/** Returns the tokens of a call as the provider reports them, else an estimate. @param contentType of the response */
export function usageOf(request: string, response: string, contentType: string | null): Usage {
  let tokensIn: number | undefined;
  let tokensOut: number | undefined;
  for (const event of isEventStream(contentType) ? parseEvents(response) : [parseJson(response)]) {
    const parsed = body.safeParse(event);
    if (!parsed.success) continue;
    for (const usage of [parsed.data.message?.usage, parsed.data.response?.usage, parsed.data.usage]) {
      tokensIn = usage?.prompt_tokens ?? usage?.input_tokens ?? tokensIn;
      tokensOut = usage?.completion_tokens ?? usage?.output_tokens ?? tokensOut;
    }
  }
  return {
    tokensIn: tokensIn ?? estimateTokens(textsOf(request, "application/json")),
    tokensOut: tokensOut ?? estimateTokens(textsOf(response, contentType)),
  };
}

export function estimateTokens(texts: readonly string[]): number {
  return Math.ceil(texts.reduce((sum, text) => sum + text.length, 0) / CHARACTERS_PER_TOKEN);
}
