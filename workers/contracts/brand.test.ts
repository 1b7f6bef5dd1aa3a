import { expect, test } from "vitest";
import { brandOf, PLATFORM_BRAND } from "./brand.ts";
import { shownPartner } from "./branding.ts";
import { decodeBrand, encodeBrand } from "./platform-headers.ts";

const id = "00000000-0000-4000-8000-000000000001";
const partnerOf = (style: unknown, logo_key: string | null = null) =>
  shownPartner.parse({ id, name: "North", logo_key, style });

test("reads the known parts of a style and ignores others", () => {
  const style = {
    display_name: " North & Søns ",
    colours: { accent: "#0bF", background: "#F3f8f1", text: "red", other: "#000000" },
    support_address: "help@north.example",
    more: "x",
  };
  const known = {
    display_name: "North & Søns",
    colours: { accent: "#00bbFF", background: "#F3f8f1", text: undefined },
    support_address: "help@north.example",
  };
  expect(partnerOf(style).style).toEqual(known);
  // A cached entry is parsed again.
  expect(shownPartner.parse(JSON.parse(JSON.stringify(partnerOf(style)))).style).toEqual(known);
  const nothing = [null, 3, [], "x", {}, { colours: "#fff", display_name: "", support_address: "nobody" }];
  for (const one of nothing) expect(partnerOf(one).style).toEqual({ colours: {} });
});

test("uses the partner's brand, or the platform's without one", () => {
  expect(brandOf(null)).toBe(PLATFORM_BRAND);
  expect(brandOf(partnerOf({}))).toEqual({ name: "North", colours: {} });
  const key = `partners/${id}/0a1b/upload`;
  expect(brandOf(partnerOf({ display_name: "N" }, key), "https://dash.example.test")).toEqual({
    name: "N",
    colours: {},
    logo: `https://dash.example.test/logos/${id}?hash=0a1b`,
  });
  expect(brandOf(partnerOf({}, key)).logo).toBe(`/logos/${id}?hash=0a1b`);
});

test("carries a brand in a header, without unsafe values", () => {
  const brand = {
    name: "Nörd 東 <script>",
    colours: { accent: "#123abc" },
    logo: `http://dash.example.test:8443/logos/${id}?hash=0a1b`,
    support: "help@north.example",
  };
  expect(encodeBrand(brand)).toMatch(/^[A-Za-z0-9+/=]+$/);
  expect(decodeBrand(encodeBrand(brand))).toEqual(brand);
  const logos = [
    "javascript:alert(1)",
    "https://dash.example.test/other",
    "/logos/x",
    "data:image/png,",
    "x; script-src *",
  ];
  for (const logo of logos) expect(decodeBrand(encodeBrand({ ...brand, logo }))?.logo).toBeUndefined();
  const colours = { accent: "#fff;}" };
  expect(decodeBrand(encodeBrand({ ...brand, colours }))?.colours).toEqual({});
  for (const value of ["", "%", btoa("x"), btoa("{}"), btoa('{"name":""}'), btoa("null")])
    expect(decodeBrand(value)).toBeUndefined();
});
