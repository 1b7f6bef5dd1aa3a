export interface HealthcheckRecord {
  id: string;
  name: string;
  address: string;
  suspended: boolean;
  created_on: string;
  modified_on: string;
  [field: string]: unknown;
}
