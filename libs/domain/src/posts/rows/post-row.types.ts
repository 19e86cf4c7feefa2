import type { ModerationStatus } from '@vitrine/contracts';
import type { PostEntity } from './post.entity';

/** A post that the viewer may see, as comments, votes and reports need it. */
export type VisiblePost = Readonly<
  Pick<PostEntity, 'id' | 'slug' | 'userId' | 'title' | 'visibility' | 'moderationStatus' | 'score'>
>;

/** A post's status before and after a change. */
export interface PostStatusChange {
  readonly from: ModerationStatus;
  readonly to: ModerationStatus;
}

/** The columns of a post that its owner sets. */
export type OwnersFields = Partial<
  Pick<
    PostEntity,
    'title' | 'description' | 'visibility' | 'accessKey' | 'ownerNsfw' | 'nsfwBeforeRuling' | 'tags'
  >
>;
