import { REPORT_REASONS, REPORT_TYPES, type ReportReason, type ReportType } from '../vocabulary/moderation';
import { Proof } from './auth-requests';
import { Choice, Email, OptionalText, Reference } from './fields';
import { MAX_LENGTHS } from '../vocabulary/limits';

/** POST /reports */
export class CreateReportRequest {
  @Choice(REPORT_TYPES, { required: true })
  type!: ReportType;

  @Reference({
    required: true,
    description: 'Slug of a media item, slug or id of a post, id of a comment, or a username.',
  })
  target!: string;

  @Choice(REPORT_REASONS, { required: true })
  reason!: ReportReason;

  @OptionalText({ max: MAX_LENGTHS.reason, multiline: true })
  details?: string | null;

  @Email({ description: 'Where moderators can answer a visitor without an account.' })
  contact?: string;

  @Proof('report')
  proof_of_work?: string | null;
}
