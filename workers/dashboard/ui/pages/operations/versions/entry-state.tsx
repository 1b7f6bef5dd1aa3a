import { Badge } from "#workers/dashboard/ui/kit/badge.tsx";

export interface CatalogueEntry {
  default: boolean;
  withdrawn_at: string | null;
}

export function EntryState({ default: isDefault, withdrawn_at }: CatalogueEntry) {
  if (withdrawn_at !== null) return <Badge>Withdrawn</Badge>;
  return isDefault ? <Badge tone="good">New tenants</Badge> : <Badge tone="info">Available</Badge>;
}
