import { expect } from "vitest";

/** A person repeats a failed command, and reports it when it failed this often. */
const ATTEMPTS = 3;

/** Texts that an error message must not have: internals instead of a reason. */
const UNREADABLE = /\[object Object\]|<html|<head|\bundefined\b|\bNaN\b/i;

/** Fails when a text would not help a person. */
export function expectReadable(text: string): void {
  expect(text).not.toMatch(UNREADABLE);
}

/**
 * Runs a command, and again after a failure.
 *
 * @throws the error of the last attempt
 */
export async function attempt(command: () => Promise<unknown>): Promise<void> {
  for (let count = 1; ; count += 1) {
    try {
      await command();
      return;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      expectReadable(message);
      expect(message.trim()).not.toBe("");
      if (count === ATTEMPTS) throw error;
    }
  }
}
