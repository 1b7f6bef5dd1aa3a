/** How a partner looks to its clients' users: what `partners.style` holds, as mails and public pages read it. */
import * as z from "zod";

const DEFAULTS = { accent: "#1d4ed8", background: "#f4f5f7", text: "#1d2733" };

const colour = (name: keyof typeof DEFAULTS) =>
  z
    .string()
    .regex(/^#([0-9a-f]{3}|[0-9a-f]{6})$/i)
    .catch(DEFAULTS[name]);

/** Anything else in it, or of another form, is as if it were not there: a stack may have given it what it begins with. */
export const branding = z
  .object({
    display_name: z.string().trim().min(1).max(200).optional().catch(undefined),
    colours: z
      .object({ accent: colour("accent"), background: colour("background"), text: colour("text") })
      .catch(DEFAULTS),
  })
  .catch({ colours: DEFAULTS });
export type Branding = z.infer<typeof branding>;
