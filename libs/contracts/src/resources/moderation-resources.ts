import { ApiProperty } from '@nestjs/swagger';
import { AuthorResource, MediaResource } from './media-resource';
import { ACCOUNT_STATES, type AccountState, ROLES, type Role } from '../vocabulary/accounts';
import {
  MODERATION_STATUSES,
  type ModerationStatus,
  BANNED_HASH_KINDS,
  type BannedHashKind,
  DECISION_SUBJECTS,
  type DecisionSubject,
  REPORT_REASONS,
  REPORT_TYPES,
  type ReportReason,
  type ReportType,
} from '../vocabulary/moderation';
import { UserCommentResource } from './comment-resources';
import { ListedPostResource } from './post-resources';
import { NullableText, NullableTime } from './nullable';

/** The classifier's scores of one picture; the five add up to 1. */
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

/** The basis of an automated decision: the classifier’s scores, or the ban that a picture matched. */
export class ModerationScoresResource {
  @ApiProperty({
    required: false,
    minimum: 0,
    maximum: 1,
    example: 0.41,
    description: 'Probability that the worst picture is unsafe.',
  })
  unsafe?: number;

  @ApiProperty({
    type: 'integer',
    required: false,
    example: 0,
    description: 'Index of the worst picture, starting at 0.',
  })
  worst_frame?: number;

  @ApiProperty({
    type: 'integer',
    required: false,
    example: 1,
    description: 'Number of pictures that were classified.',
  })
  frames?: number;

  @ApiProperty({
    type: ClassScoresResource,
    required: false,
    description: 'Class scores of the worst picture.',
  })
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
    description: 'Number of bits, of 256, in which the picture’s hash differs from the banned one.',
  })
  distance?: number;
}

/** One report, as shown to moderators. */
export class ReportResource {
  @ApiProperty({ enum: REPORT_REASONS })
  reason!: ReportReason;

  @NullableText()
  details!: string | null;

  @NullableText('Username of the account that reported the item; null for a visitor without an account.', {
    example: 'ada',
  })
  reporter!: string | null;

  @NullableText('Where a visitor without an account can be answered.')
  contact!: string | null;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;
}

/** One report, as shown to the account that made it. */
export class OwnReportResource {
  @ApiProperty({ type: 'integer', example: 7 })
  id!: number;

  @ApiProperty({ enum: REPORT_TYPES })
  type!: ReportType;

  @ApiProperty({
    example: 'aB3dE5f',
    description: 'Slug of a media item or a post, id of a comment, or a username.',
  })
  target!: string;

  @ApiProperty({ enum: REPORT_REASONS })
  reason!: ReportReason;

  @NullableText()
  details!: string | null;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;
}

/** An item that waits for a moderator; the field with the name of its type holds it. */
export class QueueItemResource {
  @ApiProperty({ enum: REPORT_TYPES, description: 'The name of the field that contains the item.' })
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
    description: 'Scores of the latest automated decision; only media have them.',
  })
  scores!: ModerationScoresResource | null;

  @ApiProperty({
    type: [String],
    example: ['classifier_unsure', 'spam'],
    description:
      'Why the item is in the queue; each code occurs once. Codes are the reason codes of automation, `content_changed` (a change of the post ended a ruling on it) and the reasons of reports.',
  })
  reasons!: readonly string[];

  @ApiProperty({ type: 'integer', example: 1, description: 'Number of open reports.' })
  reports!: number;

  @ApiProperty({ type: [ReportResource], description: 'The ten newest open reports, newest first.' })
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

  @NullableText('Username of the moderator; null if the operator banned the hash.', { example: 'ada' })
  created_by!: string | null;
}

/** The response to a ruling on a media item. */
export class MediaRuledResource {
  @ApiProperty({ example: 'Media moderated.' })
  message!: string;

  @ApiProperty({ type: MediaResource })
  media!: MediaResource;

  @ApiProperty({
    type: [BannedHashResource],
    description:
      'Hashes that `ban` added; hashes that were already banned are not included. To undo the ban, delete these.',
  })
  banned_hashes!: readonly BannedHashResource[];
}

/** The response to a ruling on a post. */
export class PostRuledResource {
  @ApiProperty({ example: 'Post moderated.' })
  message!: string;

  @ApiProperty({ type: ListedPostResource })
  post!: ListedPostResource;

  @ApiProperty({
    type: [BannedHashResource],
    description:
      'Hashes that `ban` added; hashes that were already banned are not included. To undo the ban, delete these.',
  })
  banned_hashes!: readonly BannedHashResource[];
}

/** The response to banning a hash. */
export class HashBannedResource {
  @ApiProperty({ example: 'Hash banned.' })
  message!: string;

  @ApiProperty({
    type: BannedHashResource,
    description: 'The banned hash; the existing entry if it was already banned.',
  })
  banned_hash!: BannedHashResource;
}

/** What decisions change: statuses of media and posts, and states of accounts. */
const DECIDED_STATES = [...MODERATION_STATUSES, ...ACCOUNT_STATES];

/** One decision of the log. */
export class DecisionResource {
  @ApiProperty({ type: 'integer', example: 1 })
  id!: number;

  @ApiProperty({ enum: DECISION_SUBJECTS })
  type!: DecisionSubject;

  @ApiProperty({
    example: 'aB3dE5f',
    description: 'Slug of the media item or post, or username; the item may have been deleted.',
  })
  slug!: string;

  @ApiProperty({ enum: DECIDED_STATES, description: 'Statuses of media and posts, states of accounts.' })
  from!: ModerationStatus | AccountState;

  @ApiProperty({ enum: DECIDED_STATES })
  to!: ModerationStatus | AccountState;

  @NullableTime('For decisions on accounts: when the state ends automatically; null if it doesn’t.', {
    example: null,
  })
  until!: string | null;

  @ApiProperty({
    example: 'classifier_safe',
    description:
      '`classifier_safe`, `classifier_unsafe`, `classifier_unsure`, `classifier_failed`, `partly_seen`, `banned_hash`, `processing_failed`, `processing_again`, `moderator`, `application`, `operator`, `owner` or `content_changed`. New codes may be added.',
  })
  reason!: string;

  @NullableText('Reason in the moderator’s own words; null for other decisions.', { example: null })
  note!: string | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: null,
    description: 'For rulings on posts: the revision of the post’s content.',
  })
  revision!: number | null;

  @ApiProperty({ type: ModerationScoresResource, nullable: true })
  scores!: ModerationScoresResource | null;

  @ApiProperty({
    example: 'system',
    description:
      '`system`, `operator` (a command of the server’s operator), or the username of the moderator or owner; `owner` if the owner’s account has been deleted.',
  })
  decided_by!: string;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;
}

/** An account as moderators see it. */
export class ModeratedAccountResource {
  @ApiProperty({ example: 'ada' })
  username!: string;

  @ApiProperty({ enum: ROLES })
  role!: Role;

  @ApiProperty({ enum: ACCOUNT_STATES })
  state!: AccountState;

  @NullableText('Null while the account is active.', { example: null })
  state_reason!: string | null;

  @NullableTime('When the account becomes active again; null if there is no such date.', { example: null })
  state_until!: string | null;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({ type: 'integer', description: 'All posts of the account, regardless of their visibility.' })
  post_count!: number;

  @ApiProperty({ type: 'integer', description: 'All media of the account, listed or not.' })
  media_count!: number;
}

/** The answer to a ruling on an account. */
export class AccountRuledResource {
  @ApiProperty({ example: 'Account moderated.' })
  message!: string;

  @ApiProperty({ type: ModeratedAccountResource })
  user!: ModeratedAccountResource;
}
