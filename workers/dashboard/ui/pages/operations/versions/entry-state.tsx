import { Badge } from "#workers/dashboard/ui/kit/badge.tsx";

export interface CatalogueEntry {
  default: boolean;
  withdrawn_at: string | null;
}

/** What becomes of an entry of the catalogue. */
export function EntryState({ default: isDefault, withdrawn_at }: CatalogueEntry) {
  if (withdrawn_at !== null) return <Badge>withdrawn</Badge>;
  return isDefault ? <Badge tone="good">new tenants</Badge> : <Badge tone="info">offered</Badge>;
}
