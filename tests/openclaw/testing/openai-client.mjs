/**
 * Uses a tenant with OpenAI's official client, and prints its results as lines of JSON.
 *
 * Environment: OPENAI_CLIENT, the path of the package's module; BASE_URL; HEADERS, more headers as JSON; CF_ACCESS_CLIENT_ID and
 * CF_ACCESS_CLIENT_SECRET.
 */
const { OPENAI_CLIENT, BASE_URL: baseURL, HEADERS, CF_ACCESS_CLIENT_ID, CF_ACCESS_CLIENT_SECRET } = process.env;
const { default: OpenAI } = await import(OPENAI_CLIENT);
const client = new OpenAI({
  apiKey: "unused",
  baseURL,
  maxRetries: 0,
  defaultHeaders: {
    "CF-Access-Client-Id": CF_ACCESS_CLIENT_ID,
    "CF-Access-Client-Secret": CF_ACCESS_CLIENT_SECRET,
    ...JSON.parse(HEADERS ?? "{}"),
  },
});
const messages = [{ role: "user", content: "Hello" }];

async function report(name, work) {
  const result = await work().catch((error) => ({ status: error.status ?? error.name, message: error.message }));
  process.stdout.write(`${JSON.stringify({ name, result })}\n`);
}

await report("models", async () => (await client.models.list()).data.map(({ id }) => id));
await report("chat", async () => {
  const chunks = [];
  for await (const chunk of await client.chat.completions.create({ model: "openclaw", messages, stream: true }))
    chunks.push(chunk.choices[0]?.delta.content ?? "");
  return { chunks: chunks.length, text: chunks.join("") };
});
await report(
  "response",
  async () => (await client.responses.create({ model: "openclaw", input: "Hello" })).output_text,
);
