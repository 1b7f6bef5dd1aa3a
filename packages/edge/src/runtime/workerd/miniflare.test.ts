import { afterEach, expect, test, vi } from "vitest";
import { Miniflare } from "./miniflare.ts";

afterEach(() => vi.unstubAllGlobals());

test("starts Workers of some megabytes with few large buffers", async () => {
  let large = 0;
  const counting = new Proxy(ArrayBuffer, {
    construct(target, [length]: [number]) {
      if (length > 1_000_000) large += 1;
      return new target(length);
    },
  });
  vi.stubGlobal("ArrayBuffer", counting);
  const source = "export default { fetch: () => new Response() };";
  const script = `//${"x".repeat(2_000_000)}\n${source}`;
  const others = Array.from({ length: 10 }, (_, index) => ({ name: `other-${index}`, modules: true, script: source }));
  const miniflare = new Miniflare({ workers: [{ name: "large", modules: true, script }, ...others] });
  try {
    await miniflare.ready;
    expect(large).toBeLessThan(10);
  } finally {
    await miniflare.dispose();
  }
});
