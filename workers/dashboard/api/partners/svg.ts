/**
 * Sanitizes SVG: only drawings, without scripts, external resources and links. The result is serialized from the parsed tree, so that browsers
 * parse exactly what was checked.
 */
import { parseXml, XmlCdata, XmlDocumentType, XmlElement, XmlProcessingInstruction, XmlText } from "@rgrove/parse-xml";
import { partnerErrors } from "#domain/errors/api/partners.ts";
import { Failure, failure } from "../../http/failure.tsx";

const NAMESPACE = "http://www.w3.org/2000/svg";

/** Elements that only draw, without `foreignObject`. */
const ELEMENTS: ReadonlySet<string> = new Set([
  ..."svg g defs title desc path rect circle ellipse line polyline polygon text tspan".split(" "),
  ..."linearGradient radialGradient stop clipPath mask symbol".split(" "),
]);

/** Presentation attributes. */
const ATTRIBUTES: ReadonlySet<string> = new Set([
  ..."xmlns version id viewBox width height x y x1 y1 x2 y2 cx cy r rx ry fx fy d points dx dy".split(" "),
  ..."transform gradientTransform gradientUnits spreadMethod offset preserveAspectRatio pathLength".split(" "),
  ..."clipPathUnits maskUnits maskContentUnits fill fill-rule fill-opacity clip-rule clip-path mask".split(" "),
  ..."stroke stroke-width stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray".split(" "),
  ..."stroke-dashoffset stroke-opacity opacity stop-color stop-opacity color font-family font-size".split(" "),
  ..."font-weight font-style text-anchor dominant-baseline letter-spacing role aria-label".split(" "),
]);

/** Maximum nesting. */
const MAX_DEPTH = 32;
/** References within the drawing, the only permitted ones. */
const OWN_REFERENCE = /url\(\s*(['"]?)#[\w-]+\1\s*\)/g;
const SUSPECT = /url|\\|\/\*|@|expression|javascript:|data:/i;
const TEXTS: ReadonlySet<string> = new Set(["aria-label", "xmlns"]);

/** @throws Failure `invalid_request` that names the forbidden part */
export function safeSvg(text: string): string {
  const root = parse(text);
  if (root?.name !== "svg" || root.attributes.xmlns !== NAMESPACE) throw failure(partnerErrors.logo_not_svg);
  return write(root, 0);
}

function parse(text: string): XmlElement | null {
  try {
    const document = parseXml(text, { preserveDocumentType: true });
    if (
      document.children.some((child) => child instanceof XmlDocumentType || child instanceof XmlProcessingInstruction)
    )
      throw failure(partnerErrors.logo_type_forbidden);
    return document.root;
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw failure(partnerErrors.logo_malformed);
  }
}

function write(element: XmlElement, depth: number): string {
  if (depth > MAX_DEPTH) throw failure(partnerErrors.logo_nested_too_deeply);
  if (!ELEMENTS.has(element.name)) throw failure(partnerErrors.logo_element_forbidden, { name: shown(element.name) });
  const attributes = Object.entries(element.attributes).map(([name, value]) => {
    requireHarmless(name, value);
    return ` ${name}="${escaped(value)}"`;
  });
  const children = element.children.map((child) => {
    if (child instanceof XmlElement) return write(child, depth + 1);
    if (child instanceof XmlText || child instanceof XmlCdata) return escaped(child.text);
    if (child instanceof XmlProcessingInstruction) throw failure(partnerErrors.logo_instruction_forbidden);
    return "";
  });
  return `<${element.name}${attributes.join("")}>${children.join("")}</${element.name}>`;
}

function requireHarmless(name: string, value: string): void {
  if (!ATTRIBUTES.has(name)) throw failure(partnerErrors.logo_attribute_forbidden, { name: shown(name) });
  if (name === "xmlns" && value !== NAMESPACE) throw failure(partnerErrors.logo_namespace_forbidden);
  if (!TEXTS.has(name) && SUSPECT.test(value.replaceAll(OWN_REFERENCE, ""))) {
    throw failure(partnerErrors.logo_reference_forbidden, { name: shown(name) });
  }
}

/** Escapes markup, and white space that parsers normalize (XML 1.0, 2.11 and 3.3.3). */
const escaped = (text: string) => text.replaceAll(/[&<>"\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Truncates a name for the message. */
const shown = (name: string) => JSON.stringify(name.slice(0, 40));
