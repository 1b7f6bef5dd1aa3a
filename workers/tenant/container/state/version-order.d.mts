type Gateway = { name: string; version: string } | undefined;

export function compareVersions(a: string, b: string): number;
export function ageOf(state: Gateway, image: Gateway): "older" | "same" | "newer" | "unknown";
