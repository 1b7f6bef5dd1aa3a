import type { Target } from "./scope.ts";

/** Returns a function that removes what identifies an account: its ids, names, token, and addresses. */
export function redactor({ accountId, apiToken, zone }: Target): (text: string) => string {
  const own = [
    [apiToken, "TOKEN"],
    [accountId, "ACCOUNT"],
    ...(zone === undefined
      ? []
      : [
          [zone.id, "ZONE"],
          [zone.name, "DOMAIN"],
        ]),
  ] as [string, string][];
  return (text) => {
    const replaced = own.reduce((left, [secret, name]) => (secret === "" ? left : left.replaceAll(secret, name)), text);
    return replaced
      .replace(/[\w.+-]+@[\w-]+(\.[\w-]+)+/g, "EMAIL")
      .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "UUID")
      .replace(/\b[0-9a-f]{32,64}\b/gi, "ID")
      .replace(/\bhttps?:\/\/[^\s"')]+/g, "URL");
  };
}
