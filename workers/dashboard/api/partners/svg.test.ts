import fc from "fast-check";
import { expect, test } from "vitest";
import { errorBody } from "#workers/contracts/errors.ts";
import { Failure } from "../../http/failure.tsx";
import { safeSvg } from "./svg.ts";

const svg = (inside: string, more = "") => `<svg xmlns="http://www.w3.org/2000/svg" ${more}>${inside}</svg>`;

test("keeps a drawing without comments and metadata", () => {
  const drawing = `<?xml version="1.0" encoding="UTF-8"?><!-- made by hand -->
    ${svg(
      `<title>A &amp; B</title><defs><linearGradient id="a"><stop offset="0" stop-color="#fff"/></linearGradient></defs>
      <g fill="url(#a)" transform="rotate(45)"><path d="M0 0L10 10z"/><!-- c --></g><text x="1">x &lt; y</text>`,
      'viewBox="0 0 10 10"',
    )}`;
  const kept = safeSvg(drawing);
  expect(kept).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 10 10">/);
  for (const part of ["<title>A &#38; B</title>", 'fill="url(#a)"', '<path d="M0 0L10 10z"></path>', "x &#60; y"]) {
    expect(kept).toContain(part);
  }
  expect(kept).not.toContain("<!--");
  expect(safeSvg(kept)).toBe(kept);
});

test.each([
  ["a script", svg("<script>alert(1)</script>")],
  ["a handler", svg('<path onload="alert(1)"/>')],
  ["a handler of its own", svg("", 'onload="alert(1)"')],
  ["HTML", svg('<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>')],
  ["another namespace", svg('<g xmlns="http://www.w3.org/1999/xhtml"/>')],
  ["a prefix", svg('<x:script xmlns:x="http://www.w3.org/2000/svg"/>')],
  ["a link", svg('<a href="javascript:alert(1)"><path/></a>')],
  ["a use", svg('<use href="https://evil.test/a.svg#b"/>')],
  ["a picture", svg('<image href="https://evil.test/a.png"/>')],
  ["an animation", svg('<set attributeName="href" to="javascript:alert(1)"/>')],
  ["a style sheet", svg("<style>@import url(https://evil.test)</style>")],
  ["a style", svg('<path style="fill:url(https://evil.test)"/>')],
  ["a far fill", svg('<path fill="url(https://evil.test/a#b)"/>')],
  ["a far fill, escaped", svg('<path fill="&#117;rl(https://evil.test)"/>')],
  ["a far fill behind its own", svg('<path fill="url(#a) url(//evil.test)"/>')],
  ["a far fill by CSS escapes", svg('<path fill="u\\72l(//evil.test)"/>')],
  ["a far mask", svg('<path mask="URL(//evil.test#a)"/>')],
  ["an instruction", `<?xml-stylesheet href="https://evil.test"?>${svg("")}`],
  ["an instruction inside", svg('<?xml-stylesheet href="https://evil.test"?>')],
  ["entities", `<!DOCTYPE svg [<!ENTITY a "b">]>${svg("&a;")}`],
  ["a document type", `<!DOCTYPE svg SYSTEM "https://evil.test">${svg("")}`],
  ["no namespace", "<svg/>"],
  ["HTML by itself", "<html/>"],
  ["what is not well-formed", "<svg"],
  ["depth", svg("<g>".repeat(40) + "</g>".repeat(40))],
])("refuses %s, with the remedy", (_, text) => {
  const refused = (() => {
    try {
      return safeSvg(text);
    } catch (error) {
      return error;
    }
  })();
  expect(refused).toBeInstanceOf(Failure);
  expect(refused).toMatchObject({
    code: "invalid_request",
    message: expect.stringContaining(". Send a plain drawing"),
  });
  expect(errorBody.safeParse({ error: refused }).success).toBe(true);
});

test("writes SVG that parses to the same drawing, without active content", () => {
  const name = fc.constantFrom("g", "path", "text", "script", "a", "style", "svg", "image", "animate");
  const attribute = fc.constantFrom("fill", "id", "href", "onclick", "style", "xmlns", "d", "x:y");
  const value = fc.oneof(fc.constantFrom("url(#a)", "url(//b)", "&lt;script&gt;", "red", "&#10;"), fc.string());
  const node = fc.letrec<{ node: string }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      fc.string().map((text) => text.replaceAll(/[<&]/g, "")),
      fc
        .tuple(name, attribute, value, fc.array(tie("node"), { maxLength: 3 }))
        .map(
          ([tag, key, text, inside]) => `<${tag} ${key}="${text.replaceAll(/[<"]/g, "")}">${inside.join("")}</${tag}>`,
        ),
    ),
  })).node;
  fc.assert(
    fc.property(node, (inside) => {
      let kept: string;
      try {
        kept = safeSvg(svg(inside));
      } catch (error) {
        expect(error).toBeInstanceOf(Failure);
        return;
      }
      expect(safeSvg(kept)).toBe(kept);
      expect(kept).not.toMatch(/<(script|a|style|image|animate)\b|<[^>]*\s(href|on\w+|style)=|url\((?!#a\))[^<]*"/);
    }),
    { numRuns: 500 },
  );
});
