import {
  BANNED_HASH_KINDS,
  type BannedHashKind,
  DECISION_SUBJECTS,
  type DecisionSubject,
  type Ruling,
  RULINGS,
} from '../vocabulary/moderation';
import { ACCOUNT_STATES, type AccountState } from '../vocabulary/accounts';
import { Choice, Flag, Instant, Text, WholeNumber, OptionalText } from './fields';
import { PageQuery } from './page-queries';
import { MAX_LENGTHS } from '../vocabulary/limits';

/** POST /moderation/media/<slug> */
export class ModerationRulingRequest {
  @Choice(RULINGS, {
    required: true,
    description:
      '`pending` undoes earlier rulings: a media item waits in the queue again, and a post’s status is computed from its media and the owner’s `is_nsfw`. The reports that the caller’s last ruling closed are open again.',
  })
  status!: Ruling;

  @Text({
    required: true,
    max: MAX_LENGTHS.reason,
    multiline: true,
    description: 'Stored in the log of decisions.',
  })
  reason!: string;

  @Flag({
    description: 'Also bans the hashes of the files and their pictures. Allowed only with `rejected`.',
  })
  ban?: boolean;
}

/** POST /moderation/posts/<slug> */
export class PostRulingRequest extends ModerationRulingRequest {
  @WholeNumber({
    min: 1,
    description:
      'The `revision` of the post that the moderator has read. The response is 409 if the post has changed since then. Required for `approved` and `nsfw` once the post has changed (from revision 2 on).',
  })
  revision?: number;
}

/** POST /moderation/users/<username> */
export class AccountRulingRequest {
  @Choice(ACCOUNT_STATES, {
    required: true,
    description:
      '`limited`: the posts and media of the account are in no list, and it can’t comment on other people’s posts. `suspended`: it can’t log in, its tokens stop working, and its profile, posts, media, files and comments are hidden. `active` ends both.',
  })
  state!: AccountState;

  @OptionalText({
    max: MAX_LENGTHS.reason,
    multiline: true,
    description:
      'Shown to the account’s owner and stored in the log of decisions. Required unless `state` is `active`.',
  })
  reason?: string | null;

  @Instant({
    nullable: true,
    description:
      'When the account becomes active again; absent or null: only when staff restore it. Not allowed with `active`.',
  })
  until?: string | null;
}

/** POST /moderation/hashes */
export class BanHashRequest {
  @Text({
    required: true,
    max: 64,
    shape: { pattern: /^[0-9a-fA-F]{64}$/, must: 'be 64 hexadecimal digits' },
    description: 'SHA-256 of the file’s bytes, or the PDQ hash of a picture.',
  })
  hash!: string;

  @Choice(BANNED_HASH_KINDS, { description: 'Default: `sha256`.' })
  kind?: BannedHashKind;

  @Text({ required: true, max: MAX_LENGTHS.reason, multiline: true })
  reason!: string;
}

/** GET /moderation/decisions */
export class DecisionListQuery extends PageQuery {
  @Choice(DECISION_SUBJECTS, { description: 'Only decisions on this type of item; `user` is an account.' })
  type?: DecisionSubject;

  @Text({
    max: 100,
    description:
      'Only decisions on the media item or post with this slug, or on the account with this username.',
  })
  slug?: string;
}
