/** Meanings of the fields of the doctor. A key ends with the field, after the objects or operation that have it. */
export const doctorTexts: Readonly<Record<string, string>> = {
  findings: "What the platform's checks and the last check of the gateway's doctor found, errors first.",
  "findings.id": "Name of the check. Several findings can have the same.",
  "findings.source": "`platform`: found during this request. `gateway`: by the last check of the gateway's own doctor.",
  "findings.severity": "`error`: something does not work. `warning`: it can fail. `info`: no action is needed.",
  "findings.message": "What is wrong, and why.",
  "findings.remedy": "What to do; null if the doctor states nothing.",
  "findings.path": "File or setting of the gateway; null if the finding concerns none.",
  "findings.since": "Since when. For the gateway's doctor, the first check with the finding. Null if unknown.",
  "findings.repair": "Operation of this API that repairs it; null if none does.",
  run: "The last run of the gateway's doctor; null before the first, and if it is unknown.",
  "run.kind": "`check` or `repair`.",
  "run.state": "`running`, `done` or `failed`.",
  "run.step":
    "What a running one does, or at which step it failed: `backing_up` the state, `repairing` while the gateway is stopped, or `checking`.",
  "run.started_at": "When it began.",
  "run.ended_at": "When it ended; null while it runs, and if it was interrupted.",
  "run.reason": "Why it failed, and what to do; null unless it failed.",
  "run.backup_id": "ID of the backup before a repair; null for a check.",
  gateway_checked_at: "When the gateway's doctor last completed a check; null before the first, and if it is unknown.",
};
