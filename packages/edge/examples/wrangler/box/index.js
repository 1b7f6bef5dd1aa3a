import { DurableObject } from "cloudflare:workers";

const PROGRAM = `require("node:http")
  .createServer((request, answer) => answer.end("Hello from the container\\n"))
  .listen(process.env.PORT ?? 8080)`;

export class Box extends DurableObject {
  async fetch() {
    const { container } = this.ctx;
    if (!container.running) container.start({ entrypoint: ["node", "-e", PROGRAM] });
    const port = container.getTcpPort(8080);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await port.fetch("http://container/");
      } catch (error) {
        // The program does not listen yet.
        if (attempt === 100) throw error;
        await scheduler.wait(100);
      }
    }
  }
}

export default {
  fetch: (request, env) => env.BOX.getByName("only").fetch(request),
};
