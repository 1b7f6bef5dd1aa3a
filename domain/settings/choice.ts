import * as z from "zod";

/** An enum whose error lists the values. @param what name of the values, such as `plan` */
export const choiceSchema = <const T extends readonly [string, ...string[]]>(values: T, what: string) =>
  z.enum(values, {
    error: ({ input }) =>
      input === undefined
        ? `is missing; use one of ${values.join(", ")}`
        : `unknown ${what} ${JSON.stringify(input)}; use one of ${values.join(", ")}`,
  });
