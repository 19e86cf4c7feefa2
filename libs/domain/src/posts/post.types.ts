import type { PostEntity } from './post.entity';

/** A post that somebody may see, as far as its comments, votes and reports need to know it. */
export type VisiblePost = Readonly<
  Pick<PostEntity, 'id' | 'slug' | 'userId' | 'title' | 'visibility' | 'moderationStatus'>
>;
