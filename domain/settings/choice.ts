import * as z from "zod";

/** One of some values. A fault names all of them. @param what the values are, such as `plan` */
export const choice = <const T extends readonly [string, ...string[]]>(values: T, what: string) =>
  z.enum(values, {
    error: ({ input }) =>
      input === undefined
        ? `is missing; use one of ${values.join(", ")}`
        : `unknown ${what} ${JSON.stringify(input)}; use one of ${values.join(", ")}`,
  });
