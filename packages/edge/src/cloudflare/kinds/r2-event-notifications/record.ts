export interface EventNotificationRule {
  ruleId: string;
  createdAt: string;
  actions: string[];
  /** Of the keys that it is about. Default: any. */
  prefix?: string;
  suffix?: string;
  description?: string;
}

/** What of a bucket is told to a queue. */
export interface EventNotificationsRecord {
  /** `{bucket}/{queue's id}` */
  id: string;
  bucket: string;
  queue_id: string;
  rules: EventNotificationRule[];
}

declare module "../../../account/records.ts" {
  interface Records {
    r2_event_notifications: EventNotificationsRecord;
  }
}
