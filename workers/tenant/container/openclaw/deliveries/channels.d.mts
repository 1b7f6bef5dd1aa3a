interface Given {
  kind: string;
  url?: string;
  apiRoot?: string;
  secrets: Record<string, string>;
  settings?: Record<string, string>;
}
type Sections = Record<string, Record<string, unknown>>;

export function channelVariables(channels: readonly Given[]): Record<string, string>;
export function withChannels(
  config: { channels?: Sections },
  channels: readonly Given[],
  former: Sections,
): { config: { channels?: Sections }; saved: Sections };
