export interface SchedulesRecord {
  /** Script name. */
  id: string;
  schedules: { cron: string; created_on: string; modified_on: string }[];
}
