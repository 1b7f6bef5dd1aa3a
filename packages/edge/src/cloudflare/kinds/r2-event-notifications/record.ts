export interface EventNotificationRule {
  ruleId: string;
  createdAt: string;
  actions: string[];
  /** Of object keys. Default: any. */
  prefix?: string;
  suffix?: string;
  description?: string;
}

export interface EventNotificationsRecord {
  /** `{bucket}/{queue id}` */
  id: string;
  bucket: string;
  queue_id: string;
  rules: EventNotificationRule[];
}
