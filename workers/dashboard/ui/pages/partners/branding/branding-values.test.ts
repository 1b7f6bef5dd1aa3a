import { expect, test } from "vitest";
import type { PartnerStyle } from "#workers/contracts/api/people/partners.ts";
import { bodyOf, DEFAULTS, faultsOf, previewOf, valuesOf } from "./branding-values.ts";

const style: PartnerStyle = {
  partner_id: "00000000-0000-4000-8000-000000000000",
  display_name: "Globex",
  colours: { text: "#101010", background: "#ffffff", accent: "#0b57d0" },
  support_address: "help@globex.test",
  logo_url: null,
  version: 1,
};

test("unchanged values save the same branding, with the partner's name as the default", () => {
  const { display_name, colours, support_address } = style;
  expect(bodyOf(valuesOf(style), "Globex Integrators")).toEqual({ display_name, colours, support_address });
  expect(bodyOf(valuesOf(style), "Globex").display_name).toBeNull();
  const plain = { ...style, colours: null, support_address: null };
  expect(bodyOf(valuesOf(plain), "Globex")).toEqual(bodyOf(DEFAULTS, "Globex"));
});

test("custom colours have the same faults as in the API", () => {
  const pale = { ...valuesOf(style), text: "#888888", accent: "#eeeeee" };
  expect(faultsOf(bodyOf(pale, ""))).toEqual({
    text: "has a contrast of 3.54 to the background; choose colours with at least 4.5",
    accent: "has a contrast of 1.16 to the background; choose colours with at least 3",
  });
  expect(faultsOf(bodyOf({ ...pale, own_colours: false }, ""))).toEqual({});
  expect(Object.keys(faultsOf(bodyOf({ ...valuesOf(style), text: "red", support_address: "x" }, "")))).toEqual([
    "text",
    "support_address",
  ]);
});

test("a preview request contains only valid values", () => {
  expect(previewOf(valuesOf(style))).toEqual({
    display_name: "Globex",
    ...style.colours,
    support_address: "help@globex.test",
  });
  const half = { ...valuesOf(style), accent: "#0b", support_address: "help@" };
  expect(previewOf(half)).toEqual({ display_name: "Globex" });
});
