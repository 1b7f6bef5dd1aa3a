/**
 * Sends a text to the default model through the tenant's AI gateway, in OpenAI's format. The tenant's Worker adds token, metadata and the
 * provider's key.
 *
 * Environment: AI_GATEWAY_URL, CF_ACCOUNT_ID, AI_GATEWAY_ID, DEFAULT_MODEL.
 *
 * @returns the AI gateway's status, and the model's response or an error
 */
export async function askModel(env, text) {
  const { AI_GATEWAY_URL: origin, CF_ACCOUNT_ID: account, AI_GATEWAY_ID: gateway } = env;
  const response = await fetch(`${origin}/v1/${account}/${gateway}/compat/chat/completions`, {
    method: "POST",
    // A deployment of the Worker ends kept connections, possibly while a call is sent on one, and a POST is not repeated.
    headers: { "content-type": "application/json", "cf-aig-skip-cache": "true", connection: "close" },
    body: JSON.stringify({ model: env.DEFAULT_MODEL, messages: [{ role: "user", content: text }] }),
    signal: AbortSignal.timeout(30_000),
  });
  const body = await response.json();
  return response.ok
    ? { status: 200, text: body.choices[0].message.content }
    : { status: response.status, error: body.error?.[0]?.message ?? "The AI gateway rejected the call." };
}
