interface Sent {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: unknown;
  redirect: string | undefined;
}

/** Returns a `fetch` with given answers, and what it was sent. */
export function answering(answer: (sent: Sent) => Response | Promise<Response>): {
  fetch: typeof globalThis.fetch;
  sent: Sent[];
} {
  const sent: Sent[] = [];
  const fetch = async (url: unknown, init: RequestInit = {}) => {
    const { method = "GET", headers, body, redirect } = init;
    const text = body instanceof Blob ? await body.text() : body;
    const one = { method, url: String(url), headers: Object.fromEntries(new Headers(headers)), body: text, redirect };
    sent.push(one);
    return answer(one);
  };
  return { fetch, sent };
}

export const refusal = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  Response.json({ error: { code, message: "No." } }, { status, headers });
