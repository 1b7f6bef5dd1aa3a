import type * as z from "zod";
import { isColour } from "#domain/contrast.ts";
import { type PartnerStyle, partnerRoutes } from "#workers/contracts/api/people/partners.ts";

const colourNames = ["text", "background", "accent"] as const;
type ColourName = (typeof colourNames)[number];

export interface BrandingValues extends Record<ColourName, string> {
  display_name: string;
  /** Edited colours are kept while this is off. */
  own_colours: boolean;
  support_address: string;
}

const DEFAULT_COLOURS: Readonly<Record<ColourName, string>> = {
  text: "#1d2733",
  background: "#f4f5f7",
  accent: "#1d4ed8",
};

export const DEFAULTS: BrandingValues = {
  display_name: "",
  own_colours: false,
  ...DEFAULT_COLOURS,
  support_address: "",
};

export const valuesOf = ({ display_name, colours, support_address }: PartnerStyle): BrandingValues => ({
  display_name,
  own_colours: colours !== null,
  ...(colours ?? DEFAULT_COLOURS),
  support_address: support_address ?? "",
});

type Body = z.input<typeof partnerRoutes.putPartnerStyle.body>;

/** @param name partner name, which is shown without a display name */
export function bodyOf(values: BrandingValues, name: string): Body {
  const { own_colours, text, background, accent } = values;
  const [shown, support] = [values.display_name.trim(), values.support_address.trim()];
  return {
    display_name: shown === "" || shown === name ? null : shown,
    colours: own_colours ? { text, background, accent } : null,
    support_address: support === "" ? null : support,
  };
}

/** Faults that the API would report, by field. */
export function faultsOf(body: Body): Readonly<Record<string, string>> {
  const { error } = partnerRoutes.putPartnerStyle.body.safeParse(body);
  return Object.fromEntries((error?.issues ?? []).map(({ path, message }) => [String(path.at(-1)), message]));
}

/** Query of the preview, without values that are not valid yet. */
export function previewOf({
  display_name,
  own_colours,
  support_address,
  ...colours
}: BrandingValues): Partial<z.input<typeof partnerRoutes.previewPartnerStyle.query>> {
  const { support_address: support } = partnerRoutes.previewPartnerStyle.query.shape;
  const whole = colourNames.every((name) => isColour(colours[name]));
  return {
    display_name: display_name.trim(),
    ...(own_colours && whole && colours),
    ...(support.safeParse(support_address.trim()).success && { support_address: support_address.trim() }),
  };
}
