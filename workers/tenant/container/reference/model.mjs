/**
 * A turn of the reference gateway: what it is asked goes to the tenant's AI gateway, as OpenAI's clients speak to one. Token, metadata and
 * provider's key are put on by the tenant's Worker, which is on the way there.
 */

/**
 * Asks the default model.
 *
 * Environment: AI_GATEWAY_URL, CF_ACCOUNT_ID, AI_GATEWAY_ID, DEFAULT_MODEL.
 *
 * @returns the AI gateway's status and what the model said, or why it did not
 */
export async function askModel(env, text) {
  const { AI_GATEWAY_URL: origin, CF_ACCOUNT_ID: account, AI_GATEWAY_ID: gateway } = env;
  const answer = await fetch(`${origin}/v1/${account}/${gateway}/compat/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", "cf-aig-skip-cache": "true" },
    body: JSON.stringify({ model: env.DEFAULT_MODEL, messages: [{ role: "user", content: text }] }),
    signal: AbortSignal.timeout(30_000),
  });
  const body = await answer.json();
  return answer.ok
    ? { status: 200, text: body.choices[0].message.content }
    : { status: answer.status, error: body.error?.[0]?.message ?? "the AI gateway refused" };
}
