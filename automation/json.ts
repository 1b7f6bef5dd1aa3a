/** @returns `undefined` for what is no JSON, as a file that a kill tore */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
