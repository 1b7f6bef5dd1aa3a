import { DurableObject } from "cloudflare:workers";

/** Counts the requests of one customer. */
export class Counter extends DurableObject {
  async increment() {
    const count = ((await this.ctx.storage.get("count")) ?? 0) + 1;
    await this.ctx.storage.put("count", count);
    return count;
  }
}

export default {
  async fetch(request, env) {
    const [customer] = new URL(request.url).hostname.split(".");
    try {
      const answer = await env.CUSTOMERS.get(customer).fetch(request);
      const count = await env.COUNTER.getByName(customer).increment();
      return new Response(answer.body, { status: answer.status, headers: { "x-requests": String(count) } });
    } catch (error) {
      if (!error.message.startsWith("Worker not found")) throw error;
      return new Response(`There is no customer ${customer}.\n`, { status: 404 });
    }
  },
};
