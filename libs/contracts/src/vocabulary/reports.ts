/** What can be reported. */
export const REPORT_TYPES = ['media', 'post', 'comment', 'user'] as const;
export type ReportType = (typeof REPORT_TYPES)[number];

export const REPORT_REASONS = ['spam', 'abuse', 'nsfw', 'illegal', 'copyright', 'other'] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];
