import { randomInt } from "node:crypto";
import { resource } from "@tenantry/plugin-host";
import { hashSync } from "bcryptjs";
import * as z from "zod";

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const SPECIAL = "!@#$%&*()-_=+[]{}<>:?";

/** bcrypt's minimum, because each password of a deployment is hashed. */
const LEAST_COST = 4;

const inputs = z.object({
  length: z.int().min(1),
  lower: z.boolean().default(true),
  upper: z.boolean().default(true),
  numeric: z.boolean().default(true),
  special: z.boolean().default(true),
  minLower: z.int().default(0),
  minUpper: z.int().default(0),
  minNumeric: z.int().default(0),
  minSpecial: z.int().default(0),
  overrideSpecial: z.string().optional(),
  keepers: z.record(z.string(), z.string()).optional(),
});
type Inputs = z.infer<typeof inputs>;

const pickLetter = (letters: string) => letters.charAt(randomInt(letters.length));

function shuffleLetters(letters: string[]): string[] {
  for (let end = letters.length - 1; end > 0; end--) {
    const other = randomInt(end + 1);
    [letters[end], letters[other]] = [letters[other] ?? "", letters[end] ?? ""];
  }
  return letters;
}

function generatePassword(wanted: Inputs): string {
  const classes: [boolean, string, number][] = [
    [wanted.lower, LOWER, wanted.minLower],
    [wanted.upper, LOWER.toUpperCase(), wanted.minUpper],
    [wanted.numeric, "0123456789", wanted.minNumeric],
    [wanted.special, wanted.overrideSpecial ?? SPECIAL, wanted.minSpecial],
  ];
  const used = classes.filter(([on]) => on);
  const alphabet = used.map(([, letters]) => letters).join("");
  const letters = used.flatMap(([, own, least]) => Array.from({ length: least }, () => pickLetter(own)));
  while (letters.length < wanted.length) letters.push(pickLetter(alphabet));
  return shuffleLetters(letters).join("");
}

interface Outputs {
  result: string;
  bcryptHash: string;
  /** Deprecated name of `numeric`. */
  number: boolean;
}

function outputsOf(result: string, { numeric }: Inputs): Outputs {
  return { result, bcryptHash: hashSync(result, LEAST_COST), number: numeric };
}

export const randomPassword = resource<undefined, Inputs, Outputs>({
  type: "random:index/randomPassword:RandomPassword",
  inputs: inputs
    .refine(
      ({ length, minLower, minUpper, minNumeric, minSpecial }) =>
        length >= minLower + minUpper + minNumeric + minSpecial,
      {
        path: ["length"],
        message: "must be at least the sum of the minimums",
      },
    )
    .refine(({ lower, upper, numeric, special }) => lower || upper || numeric || special, {
      message: "at least one of lower, upper, numeric and special must be true",
    }),
  replaceOrder: "create-first",
  removes: "Nothing outside the state: what was given the old value is given the new one before.",
  secretOutputs: ["result", "bcryptHash"],
  identity: (given) => JSON.stringify(given),
  create: async (_clients, given) => ({ id: "none", outputs: outputsOf(generatePassword(given), given) }),
  // The import id is the password.
  async read(_clients, id, known) {
    if (known !== undefined) return known;
    const declared = inputs.parse({ length: id.length });
    return { id: "none", inputs: declared, outputs: outputsOf(id, declared) };
  },
  delete: async () => {},
});
