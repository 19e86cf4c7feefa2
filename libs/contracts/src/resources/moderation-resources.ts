import { ApiProperty } from '@nestjs/swagger';
import { AuthorResource, MediaResource } from '../media/media-resource';
import { MODERATION_STATUSES, type ModerationStatus } from '../media/moderation-status';
import {
  BANNED_HASH_KINDS,
  type BannedHashKind,
  DECISION_SUBJECTS,
  type DecisionSubject,
} from '../moderation';
import {
  REPORT_REASONS,
  REPORT_TYPES,
  type ReportReason,
  type ReportType,
} from '../requests/report-requests';
import { UserCommentResource } from './comment-resources';
import { ListedPostResource } from './post-resources';

/** What the classifier makes of one picture; the five add up to 1. */
export class ClassScoresResource {
  @ApiProperty({ description: 'Harmless drawings.', example: 0.02 })
  drawing!: number;

  @ApiProperty({ description: 'Pornographic drawings.', example: 0.01 })
  hentai!: number;

  @ApiProperty({ example: 0.37 })
  neutral!: number;

  @ApiProperty({ example: 0.2 })
  porn!: number;

  @ApiProperty({ description: 'Suggestive, not pornographic.', example: 0.4 })
  sexy!: number;
}

/** What automation went by: the classifier’s scores, or the ban that a picture matched. */
export class ModerationScoresResource {
  @ApiProperty({
    required: false,
    minimum: 0,
    maximum: 1,
    example: 0.41,
    description: 'Unsafe probability of the worst picture.',
  })
  unsafe?: number;

  @ApiProperty({
    type: 'integer',
    required: false,
    example: 0,
    description: 'Which picture that is, from 0.',
  })
  worst_frame?: number;

  @ApiProperty({ type: 'integer', required: false, example: 1, description: 'Pictures looked at.' })
  frames?: number;

  @ApiProperty({ type: ClassScoresResource, required: false, description: 'Of the worst picture.' })
  classes?: ClassScoresResource;

  @ApiProperty({
    type: 'integer',
    required: false,
    example: 12,
    description: 'Id of the banned hash that a picture matched.',
  })
  banned_hash_id?: number;

  @ApiProperty({
    type: 'integer',
    required: false,
    minimum: 0,
    maximum: 255,
    example: 4,
    description: 'Differing bits of 256.',
  })
  distance?: number;
}

/** One report, as moderators read it. */
export class ReportResource {
  @ApiProperty({ enum: REPORT_REASONS })
  reason!: ReportReason;

  @ApiProperty({ type: String, nullable: true })
  details!: string | null;

  @ApiProperty({ example: 'ada', description: 'Who reported it.' })
  reporter!: string;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;
}

/** One report, as the account that made it reads it. */
export class OwnReportResource {
  @ApiProperty({ type: 'integer', example: 7 })
  id!: number;

  @ApiProperty({ enum: REPORT_TYPES })
  type!: ReportType;

  @ApiProperty({
    example: 'aB3dE5f',
    description: 'Slug of a media item or post, id of a comment, username.',
  })
  target!: string;

  @ApiProperty({ enum: REPORT_REASONS })
  reason!: ReportReason;

  @ApiProperty({ type: String, nullable: true })
  details!: string | null;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;
}

/** Something that waits for a moderator; it comes under the name of its type. */
export class QueueItemResource {
  @ApiProperty({ enum: REPORT_TYPES, description: 'Which of the four the item holds.' })
  type!: ReportType;

  @ApiProperty({ type: MediaResource, required: false })
  media?: MediaResource;

  @ApiProperty({ type: ListedPostResource, required: false })
  post?: ListedPostResource;

  @ApiProperty({ type: UserCommentResource, required: false })
  comment?: UserCommentResource;

  @ApiProperty({ type: AuthorResource, required: false })
  user?: AuthorResource;

  @ApiProperty({
    type: ModerationScoresResource,
    nullable: true,
    description: 'Of the latest automated decision; media alone have any.',
  })
  scores!: ModerationScoresResource | null;

  @ApiProperty({
    type: [String],
    example: ['classifier_unsure', 'spam'],
    description:
      'Why it waits, each code once: reason codes of automation, `content_changed` (a change of the post ended a ruling on it), and the reasons of reports.',
  })
  reasons!: readonly string[];

  @ApiProperty({ type: 'integer', example: 1, description: 'Open reports.' })
  reports!: number;

  @ApiProperty({ type: [ReportResource], description: 'The ten latest open reports, latest first.' })
  latest_reports!: readonly ReportResource[];

  @ApiProperty({ format: 'date-time' })
  waiting_since!: string;
}

/** A file or a picture that nobody may upload. */
export class BannedHashResource {
  @ApiProperty({ type: 'integer', example: 12 })
  id!: number;

  @ApiProperty({ enum: BANNED_HASH_KINDS })
  kind!: BannedHashKind;

  @ApiProperty({ pattern: '^[0-9a-f]{64}$' })
  hash!: string;

  @ApiProperty()
  reason!: string;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'ada',
    description: 'Username; null where the operator banned it.',
  })
  created_by!: string | null;
}

/** The answer to a ruling on a media. */
export class MediaRuledResource {
  @ApiProperty({ example: 'Media moderated.' })
  message!: string;

  @ApiProperty({ type: MediaResource })
  media!: MediaResource;

  @ApiProperty({
    type: [BannedHashResource],
    description: 'What `ban` added; what was banned before isn’t among them. To undo it, unban these.',
  })
  banned_hashes!: readonly BannedHashResource[];
}

/** The answer to a ruling on a post. */
export class PostRuledResource {
  @ApiProperty({ example: 'Post moderated.' })
  message!: string;

  @ApiProperty({ type: ListedPostResource })
  post!: ListedPostResource;

  @ApiProperty({
    type: [BannedHashResource],
    description: 'What `ban` added; what was banned before isn’t among them. To undo it, unban these.',
  })
  banned_hashes!: readonly BannedHashResource[];
}

/** The answer to banning a hash. */
export class HashBannedResource {
  @ApiProperty({ example: 'Hash banned.' })
  message!: string;

  @ApiProperty({
    type: BannedHashResource,
    description: 'The entry; the first one where it was banned before.',
  })
  banned_hash!: BannedHashResource;
}

/** One decision of the log. */
export class DecisionResource {
  @ApiProperty({ type: 'integer', example: 1 })
  id!: number;

  @ApiProperty({ enum: DECISION_SUBJECTS })
  type!: DecisionSubject;

  @ApiProperty({ example: 'aB3dE5f', description: 'Of the media or post, which may be gone.' })
  slug!: string;

  @ApiProperty({ enum: MODERATION_STATUSES })
  from!: ModerationStatus;

  @ApiProperty({ enum: MODERATION_STATUSES })
  to!: ModerationStatus;

  @ApiProperty({
    example: 'classifier_safe',
    description:
      '`classifier_safe`, `classifier_unsafe`, `classifier_unsure`, `classifier_failed`, `partly_seen`, `banned_hash`, `processing_failed`, `processing_again`, `moderator`, `owner`, `content_changed`; more may come.',
  })
  reason!: string;

  @ApiProperty({ type: String, nullable: true, example: null, description: 'A moderator’s own words.' })
  note!: string | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: null,
    description: 'For rulings on posts: the revision of the content that was ruled on.',
  })
  revision!: number | null;

  @ApiProperty({ type: ModerationScoresResource, nullable: true })
  scores!: ModerationScoresResource | null;

  @ApiProperty({
    example: 'system',
    description:
      '`system`, or the username of moderator or owner; `owner` where that account has been deleted since.',
  })
  decided_by!: string;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;
}
