import { Choice, Reference, Text } from './fields';

export const REPORT_TYPES = ['media', 'post', 'comment', 'user'] as const;
export type ReportType = (typeof REPORT_TYPES)[number];
export const REPORT_REASONS = ['spam', 'abuse', 'nsfw', 'illegal', 'copyright', 'other'] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];

/** POST /reports */
export class CreateReportRequest {
  @Choice(REPORT_TYPES, { required: true })
  type!: ReportType;

  @Reference({
    required: true,
    description: 'Slug of a media, slug or id of a post, id of a comment, username.',
  })
  target!: string;

  @Choice(REPORT_REASONS, { required: true })
  reason!: ReportReason;

  @Text({ nullable: true, max: 1000, multiline: true })
  details?: string | null;
}
