/** Returns a text of people without line breaks and control characters, so that it cannot imitate another part of a mail. */
export const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
