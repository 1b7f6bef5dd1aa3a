/** A sandbox's archives on their way to and from the tenant Worker. */
import { createReadStream, createWriteStream, mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { Hono } from "hono";
import { errorResponse } from "../../workers/contracts/errors.ts";
import { archiveName, restoreRequest } from "../../workers/contracts/sandbox.ts";
import type { Sandbox } from "./sandbox.ts";

function fileBody(path: string): ReadableStream<Uint8Array> {
  const chunks = createReadStream(path)[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return?.();
    },
  });
}

/** The part of the supervisor's protocol that is about state, archives and restores. */
export function createArchiveApp(sandbox: Sandbox): Hono {
  const app = new Hono();
  const path = (name: string): string => join(sandbox.archives, `${name}.tar.gz`);
  const at = "/archives/:name";

  app.use(at, async (c, next) => {
    if (!archiveName.safeParse(c.req.param("name")).success)
      return errorResponse("invalid_request", "An archive's name has letters, digits and hyphens.");
    return next();
  });
  app.get("/state", (c) => c.json(sandbox.state()));
  app.post(at, async (c) => c.json(await sandbox.archive(c.req.param("name"), c.req.query("state")), 201));
  app.get(at, (c) => {
    const file = path(c.req.param("name"));
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined) return errorResponse("not_found", "There is no such archive.");
    return new Response(fileBody(file), { headers: { "content-length": String(found.size) } });
  });
  app.put(at, async (c) => {
    const { body } = c.req.raw;
    if (body === null) return errorResponse("invalid_request", "Send the archive's bytes.");
    sandbox.wake();
    mkdirSync(sandbox.archives, { recursive: true, mode: 0o700 });
    await pipeline(body, createWriteStream(path(c.req.param("name")), { mode: 0o600 }));
    return c.body(null, 204);
  });
  app.delete(at, (c) => {
    rmSync(path(c.req.param("name")), { force: true });
    return c.body(null, 204);
  });
  app.post("/restores", async (c) => {
    const parsed = restoreRequest.safeParse(await c.req.json().catch(() => undefined));
    if (!parsed.success) return errorResponse("invalid_request", "Send { name, sha256, bytes }.");
    return c.json(await sandbox.restore(parsed.data));
  });
  return app;
}
