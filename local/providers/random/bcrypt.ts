/** bcrypt (Provos and Mazières, 1999), which Node does not have. */
import { randomBytes } from "node:crypto";

const ALPHABET = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const ROUNDS = 16;
const SUBKEYS = ROUNDS + 2;
const WORDS = SUBKEYS + 4 * 256;
/** Bytes of a password that count. */
const LONGEST = 72;
/** The least that there is: it is made for each password of a deployment, on the local edge alone. */
const COST = 4;

/** The first words of π's fraction, of which Blowfish's tables are made. */
function wordsOfPi(): Uint32Array {
  const bits = BigInt(WORDS * 32 + 64);
  const arctan = (inverse: bigint): bigint => {
    let power = (1n << bits) / inverse;
    let sum = power;
    for (let n = 3n; power !== 0n; n += 2n) {
      power /= -inverse * inverse;
      sum += power / n;
    }
    return sum;
  };
  const fraction = (16n * arctan(5n) - 4n * arctan(239n) - (3n << bits)) >> 64n;
  const hex = fraction.toString(16).padStart(WORDS * 8, "0");
  return Uint32Array.from({ length: WORDS }, (_, index) => Number.parseInt(hex.slice(index * 8, index * 8 + 8), 16));
}

let pi: Uint32Array | undefined;

/** Blowfish's state: subkeys, then the four tables, in one array. */
class Blowfish {
  readonly #words: Uint32Array;

  constructor() {
    pi ??= wordsOfPi();
    this.#words = pi.slice();
  }

  /** Encrypts two words of `block` in place. */
  encrypt(block: Uint32Array, at = 0): void {
    const words = this.#words;
    const word = (index: number) => words[index] ?? 0;
    let [left, right] = [block[at] ?? 0, block[at + 1] ?? 0];
    for (let round = 0; round < ROUNDS; round++) {
      left ^= word(round);
      const sum = (word(SUBKEYS + (left >>> 24)) + word(SUBKEYS + 256 + ((left >>> 16) & 255))) | 0;
      right ^= ((sum ^ word(SUBKEYS + 512 + ((left >>> 8) & 255))) + word(SUBKEYS + 768 + (left & 255))) | 0;
      [left, right] = [right, left];
    }
    block[at] = right ^ word(ROUNDS + 1);
    block[at + 1] = left ^ word(ROUNDS);
  }

  /** Mixes `key` into the subkeys, and `salt` into all. */
  expand(key: Uint8Array, salt: Uint8Array): void {
    const [keyWords, saltWords] = [wordsOf(key, SUBKEYS), wordsOf(salt, 4)];
    for (let index = 0; index < SUBKEYS; index++)
      this.#words[index] = (this.#words[index] ?? 0) ^ (keyWords[index] ?? 0);
    const block = new Uint32Array(2);
    for (let index = 0; index < WORDS; index += 2) {
      block[0] = (block[0] ?? 0) ^ (saltWords[index % 4] ?? 0);
      block[1] = (block[1] ?? 0) ^ (saltWords[(index + 1) % 4] ?? 0);
      this.encrypt(block);
      this.#words.set(block, index);
    }
  }
}

/** `count` words of `bytes`, which are repeated as often as it takes. */
function wordsOf(bytes: Uint8Array, count: number): Uint32Array {
  const repeated = Buffer.from(Uint8Array.from({ length: count * 4 }, (_, index) => bytes[index % bytes.length] ?? 0));
  return Uint32Array.from({ length: count }, (_, index) => repeated.readUInt32BE(index * 4));
}

function base64(bytes: Uint8Array): string {
  const standard = Buffer.from(bytes).toString("base64").replace(/=+$/, "");
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  return [...standard].map((letter) => ALPHABET[letters.indexOf(letter)]).join("");
}

/**
 * The hash of a password as `$2b$…`.
 *
 * @param salt 16 bytes; default: random ones
 * @param cost logarithm of the rounds, 4 to 31; default: 4
 */
export function bcrypt(password: string, salt: Uint8Array = randomBytes(16), cost = COST): string {
  const key = Buffer.from(`${password}\0`).subarray(0, LONGEST);
  const none = new Uint8Array(16);
  const cipher = new Blowfish();
  cipher.expand(key, salt);
  for (let round = 0; round < 2 ** cost; round++) {
    cipher.expand(key, none);
    cipher.expand(salt, none);
  }
  const text = wordsOf(Buffer.from("OrpheanBeholderScryDoubt"), 6);
  for (let round = 0; round < 64; round++) for (const at of [0, 2, 4]) cipher.encrypt(text, at);
  const hash = Buffer.alloc(24);
  for (const [index, word] of text.entries()) hash.writeUInt32BE(word, index * 4);
  return `$2b$${String(cost).padStart(2, "0")}$${base64(salt)}${base64(hash.subarray(0, 23))}`;
}
