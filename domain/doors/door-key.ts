/** Key of a door, the secret part of its URL: 24 base62 characters, 142 random bits. */

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
export const KEY_LENGTH = 24;
/** Largest multiple of the alphabet's size below 256: larger bytes are skipped, so that each character is equally likely. */
const LIMIT = 256 - (256 % ALPHABET.length);
const KEY = new RegExp(`^[0-9A-Za-z]{${KEY_LENGTH}}$`);

/** @param random fills the bytes. Default: the platform's generator */
export function newDoorKey(random: (bytes: Uint8Array<ArrayBuffer>) => unknown = fillRandomly): string {
  let key = "";
  while (key.length < KEY_LENGTH) {
    const bytes = new Uint8Array(KEY_LENGTH);
    random(bytes);
    for (const byte of bytes) {
      if (byte < LIMIT && key.length < KEY_LENGTH) key += ALPHABET[byte % ALPHABET.length];
    }
  }
  return key;
}

const fillRandomly = (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes);

export const isDoorKey = (text: string): boolean => KEY.test(text);

/** Returns the end of a key, by which people recognise it. */
export const keyHint = (key: string): string => key.slice(-4);
