import {
  BANNED_HASH_KINDS,
  type BannedHashKind,
  DECISION_SUBJECTS,
  type DecisionSubject,
} from '../moderation';
import { Choice, Flag, Text, WholeNumber } from './fields';
import { PageQuery } from './page-queries';

/** What a moderator may decide; `pending` takes rulings back. */
export const RULINGS = ['approved', 'nsfw', 'rejected', 'pending'] as const;
export type Ruling = (typeof RULINGS)[number];

/** POST /moderation/media/<slug> */
export class ModerationRulingRequest {
  @Choice(RULINGS, {
    required: true,
    description:
      '`pending`: undecided again. A media waits in the queue; a post’s status follows from its media and its owner’s ' +
      'word; the reports that the caller’s last ruling on it closed are open again.',
  })
  status!: Ruling;

  @Text({ required: true, max: 1000, multiline: true, description: 'Kept in the log of decisions.' })
  reason!: string;

  @Flag({ description: 'Also ban the files and their pictures; with `rejected` alone.' })
  ban?: boolean;
}

/** POST /moderation/posts/<slug> */
export class PostRulingRequest extends ModerationRulingRequest {
  @WholeNumber({
    min: 1,
    description:
      'The `revision` of the post that the moderator has read. The answer is 409 if the post has changed since. ' +
      'Required for `approved` and `nsfw` once the post has changed (from its revision 2 on).',
  })
  revision?: number;
}

/** POST /moderation/hashes */
export class BanHashRequest {
  @Text({
    required: true,
    max: 64,
    shape: { pattern: /^[0-9a-fA-F]{64}$/, must: 'be 64 hexadecimal digits' },
    description: 'SHA-256 of the file’s bytes, or PDQ of a picture.',
  })
  hash!: string;

  @Choice(BANNED_HASH_KINDS, { description: '`sha256` where absent.' })
  kind?: BannedHashKind;

  @Text({ required: true, max: 1000, multiline: true })
  reason!: string;
}

/** GET /moderation/decisions */
export class DecisionListQuery extends PageQuery {
  @Choice(DECISION_SUBJECTS, { description: 'Only decisions on these.' })
  type?: DecisionSubject;

  @Text({ max: 100, description: 'Only decisions on the media or post of this slug.' })
  slug?: string;
}
