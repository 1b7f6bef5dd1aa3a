/**
 * Prints the work that sleep would interrupt: the gateway's response to `GET /workz` (`gatewayWork` of workers/contracts/tenant/sandbox.ts).
 *
 * Environment: GATEWAY_PORT, the gateway's port; 18789.
 *
 * Exit codes: 0 success; 69 the gateway does not support the path or did not respond in time.
 */
const TIMEOUT_MS = 5_000;
const MAX_CHARACTERS = 10_000;

try {
  const { GATEWAY_PORT: port = "18789" } = process.env;
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(`http://127.0.0.1:${port}/workz`, { signal, redirect: "error" });
  if (response.status !== 200) throw new Error(`the gateway responded with ${response.status}`);
  let text = "";
  for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
    text += part;
    if (text.length > MAX_CHARACTERS) throw new Error("the gateway's response is too long");
  }
  if (typeof JSON.parse(text)?.busy !== "boolean") throw new Error("the gateway's response has no boolean `busy`");
  process.stdout.write(`${JSON.stringify(JSON.parse(text))}\n`, () => process.exit(0));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`, () => process.exit(69));
}
