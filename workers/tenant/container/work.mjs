/**
 * Asks the gateway what its sandbox's sleep would cut off, and prints the answer: JSON as `GET /workz` of the gateway's port has it
 * (`gatewayWork` of workers/contracts/tenant/sandbox.ts).
 *
 * Environment: GATEWAY_PORT, the gateway's; 18789.
 *
 * Exit codes: 0 it told; 69 it does not know the question or gives no answer in time.
 */
const TIMEOUT_MS = 5_000;
const MAX_CHARACTERS = 10_000;

try {
  const { GATEWAY_PORT: port = "18789" } = process.env;
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const answer = await fetch(`http://127.0.0.1:${port}/workz`, { signal, redirect: "error" });
  if (answer.status !== 200) throw new Error(`the gateway answers ${answer.status}`);
  let text = "";
  for await (const part of answer.body.pipeThrough(new TextDecoderStream())) {
    text += part;
    if (text.length > MAX_CHARACTERS) throw new Error("the gateway's answer is too long");
  }
  if (typeof JSON.parse(text)?.busy !== "boolean")
    throw new Error("the gateway's answer does not say whether it is busy");
  process.stdout.write(`${JSON.stringify(JSON.parse(text))}\n`, () => process.exit(0));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`, () => process.exit(69));
}
