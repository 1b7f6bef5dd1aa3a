export interface ListRecord {
  id: string;
  name: string;
  type: string;
  description: string;
  items: { value: string; description?: string; created_at: string }[];
  created_at: string;
  updated_at: string;
}
