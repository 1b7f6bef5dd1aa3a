export interface SchedulesRecord {
  id: string;
  schedules: { cron: string; created_on: string; modified_on: string }[];
}
