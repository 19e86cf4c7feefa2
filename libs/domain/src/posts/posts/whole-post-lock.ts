import { Injectable } from '@nestjs/common';
import { type Transaction, Database } from '@vitrine/database';
import { NotFoundError, UnavailableError } from '../../base/errors/domain-error';
import { MediaLocks } from '../../media/items/media-locks.service';
import { PostMediaService } from '../rows/post-media.service';
import type { PostEntity } from '../rows/post.entity';
import type { PostReference } from '../rows/post-reference';
import { PostRepository } from '../rows/post.repository';

/** A post that is locked together with all its media. */
export interface WholePost {
  readonly post: PostEntity;
  /** In the order of the ids. */
  readonly mediaIds: readonly number[];
}

export interface WholePostLockOptions {
  /** Throws if the work may not be done on this post; called before and after the post is locked. */
  readonly assertAllowed?: (post: PostEntity) => void;
  /** Also locks every other post that contains one of the media, for work that changes the media's statuses. */
  readonly alsoOtherPosts?: boolean;
}

/** A media item was added to the post or taken out of it while its media were being locked. */
class MediaMovedError extends Error {
  override readonly name = 'MediaMovedError';
}

/** Each failed try means that another change of the same post was committed, so more are very unlikely. */
const MAX_ATTEMPTS = 5;
const RETRY_AFTER_SECONDS = 1;

/**
 * Locks a post with all its media in the order that holds everywhere: media by id, then posts by id. The media can
 * change until the post is locked; then the transaction starts again.
 */
@Injectable()
export class WholePostLock {
  constructor(
    private readonly database: Database,
    private readonly repository: PostRepository,
    private readonly postMedia: PostMediaService,
    private readonly media: MediaLocks,
  ) {}

  /**
   * Does `work` in a transaction in which a post is locked with all its media. Throws `NotFoundError`, what
   * `assertAllowed` throws, and `UnavailableError` if the post's media changed during each of five attempts.
   */
  async run<Result>(
    post: PostReference,
    options: WholePostLockOptions,
    work: (tx: Transaction, whole: WholePost) => Promise<Result>,
  ): Promise<Result> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      try {
        return await this.database.transaction(async (tx) => work(tx, await this.lock(tx, post, options)));
      } catch (error) {
        if (!(error instanceof MediaMovedError)) throw error;
      }
    }
    throw new UnavailableError(RETRY_AFTER_SECONDS);
  }

  private async lock(
    tx: Transaction,
    reference: PostReference,
    { assertAllowed, alsoOtherPosts = false }: WholePostLockOptions,
  ): Promise<WholePost> {
    const { id } = requireAllowed(await this.repository.find(tx, reference), assertAllowed);
    const mediaIds = await this.findMediaIds(tx, id);
    await this.media.lockAll(tx, mediaIds);
    if (alsoOtherPosts) await this.postMedia.lockPosts(tx, id, mediaIds);
    const post = requireAllowed(await this.repository.lock(tx, { id }), assertAllowed);
    if ((await this.findMediaIds(tx, id)).join() !== mediaIds.join()) throw new MediaMovedError();
    return { post, mediaIds };
  }

  private async findMediaIds(tx: Transaction, postId: number): Promise<number[]> {
    return (await this.postMedia.findMedia(tx, postId)).map(({ id }) => id).sort((a, b) => a - b);
  }
}

/** Throws `NotFoundError` if there is no post, and what `assertAllowed` throws. */
export function requireAllowed(
  post: PostEntity | null,
  assertAllowed: WholePostLockOptions['assertAllowed'],
): PostEntity {
  if (!post) throw new NotFoundError();
  assertAllowed?.(post);
  return post;
}
