export function authorityVariables(
  env: Readonly<Record<string, string | undefined>>,
  runDirectory: string,
  paths?: { authority?: string; system?: readonly string[] },
): Promise<Record<string, string>>;
