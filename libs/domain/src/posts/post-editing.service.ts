import { Injectable } from '@nestjs/common';
import { MAX_POST_MEDIA, postCreated, postDeleted } from '@vitrine/contracts';
import { type Transaction, TransactionRunner, violatedUniqueConstraint } from '@vitrine/database';
import { Outbox } from '@vitrine/messaging';
import { ForbiddenError, InvalidFieldsError, NotFoundError } from '../errors/domain-error';
import type { Viewer } from '../media/media.rules';
import { MediaService } from '../media/media.service';
import { DecisionLog } from '../moderation/decision-log.service';
import { randomSlug } from '../slugs/slug';
import { TagsService } from '../tags/tags.service';
import { AuthorsService } from '../users/authors.service';
import { randomAccessKey } from './access-key';
import { PostMediaService } from './post-media.service';
import type { PostEntity } from './post.entity';
import type { OwnPost } from './post.presenter';
import { namedBy, type PostReference, readPostReference } from './post-reference';
import { PostRepository } from './post.repository';
import { accessKeyAfter, canSeePost, isPermutation, mayMarkNsfw, ownsPost } from './post.rules';
import type { NewPost, OwnersFields, PostChanges, PostStatusChange } from './post.types';

/** Whose posts are edited. */
type Owner = NonNullable<Viewer>;

/** A post that is locked together with all its media. */
interface WholePost {
  readonly post: PostEntity;
  readonly mediaIds: readonly number[];
}

/** A media was added to the post, or taken out, while its media were being locked: to be begun again. */
class MediaMovedError extends Error {
  override readonly name = 'MediaMovedError';
}

/**
 * What owners do with their posts; by slug or numeric id wherever a `reference` is asked for. Locks are taken in one
 * order: media by id, the post, accounts, tags.
 */
@Injectable()
export class PostEditingService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly repository: PostRepository,
    private readonly postMedia: PostMediaService,
    private readonly media: MediaService,
    private readonly tags: TagsService,
    private readonly authors: AuthorsService,
    private readonly decisions: DecisionLog,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Makes a post of media of one's own, which may be in other posts too; rejected ones neither count nor are shown to
   * others. Throws `InvalidFieldsError` naming each `media_ids.<n>` that is foreign or unknown, and
   * `UnauthenticatedError` where the account has been deleted meanwhile.
   */
  async create(caller: Owner, post: NewPost): Promise<OwnPost> {
    for (;;) {
      try {
        return await this.transactions.run((tx) => this.createOnce(tx, caller, post));
      } catch (error) {
        if (violatedUniqueConstraint(error) !== 'posts_slug_key') throw error;
      }
    }
  }

  /**
   * Changes one's own post. Throws `NotFoundError`, `ForbiddenError` (for `isNsfw` too, where a moderator rejected the
   * post), and `InvalidFieldsError` on `media_order`.
   */
  async update(reference: string, caller: Owner, changes: PostChanges): Promise<OwnPost> {
    // Of a post's fields, which feeds show its media follows from the visibility alone.
    if (changes.visibility === undefined) {
      return this.transactions.run(async (tx) =>
        this.change(tx, await this.lockOwn(tx, reference, caller), caller, changes),
      );
    }
    return this.withWholePost(reference, assertOwnedBy(caller, reference), async (tx, { post, mediaIds }) => {
      const changed = await this.change(tx, post, caller, changes);
      await this.media.deriveListings(tx, mediaIds);
      return changed;
    });
  }

  /** Deletes one's own post; its media stay. Throws `NotFoundError`, `ForbiddenError`. */
  async remove(reference: string, caller: Owner): Promise<void> {
    await this.withWholePost(reference, assertOwnedBy(caller, reference), (tx, whole) =>
      this.removeWhole(tx, whole),
    );
  }

  /**
   * Puts media of one's own at the end of one's own post. Throws `NotFoundError`, `ForbiddenError`, and
   * `InvalidFieldsError` on `media_ids`.
   */
  async addMedia(reference: string, caller: Owner, mediaIds: readonly number[]): Promise<void> {
    await this.transactions.run(async (tx) => {
      await this.findOwn(tx, reference, caller);
      await this.lockOwnMedia(tx, caller, mediaIds);
      const post = await this.lockOwn(tx, reference, caller);
      const present = new Set((await this.postMedia.findMedia(tx, post.id)).map(({ id }) => id));
      refuseItems(
        mediaIds,
        (id) => present.has(id),
        (item) => `The ${item} field has a duplicate value.`,
      );
      if (present.size + mediaIds.length > MAX_POST_MEDIA) {
        throw new InvalidFieldsError({
          media_ids: [`The post may not have more than ${MAX_POST_MEDIA} media.`],
        });
      }
      await this.postMedia.append(tx, post.id, mediaIds);
      await this.postMedia.deriveAndTell(tx, post.id, ['media']);
      await this.media.deriveListings(tx, mediaIds);
    });
  }

  /**
   * Takes a media out of one's own post; the media itself stays. Throws `NotFoundError` where it isn't in it too,
   * `ForbiddenError`, and `InvalidFieldsError` on `media` where it is the last.
   */
  async removeMedia(reference: string, caller: Owner, mediaSlug: string): Promise<void> {
    await this.transactions.run(async (tx) => {
      const { id: postId } = await this.findOwn(tx, reference, caller);
      const wanted = (await this.postMedia.findMedia(tx, postId)).find(({ slug }) => slug === mediaSlug);
      if (!wanted) throw new NotFoundError();
      await this.media.lockAll(tx, [wanted.id]);
      await this.lockOwn(tx, reference, caller);
      const present = await this.postMedia.findMedia(tx, postId);
      if (!present.some(({ id }) => id === wanted.id)) throw new NotFoundError();
      if (present.length === 1) {
        throw new InvalidFieldsError({ media: ['The last media of a post may not be removed.'] });
      }
      await this.postMedia.detach(tx, postId, wanted.id);
      await this.postMedia.deriveAndTell(tx, postId, ['media']);
      await this.media.deriveListings(tx, [wanted.id]);
    });
  }

  /** Removes up to `limit` posts of an account that is being erased, each in its transaction; returns how many. */
  async removeAllOf(userId: number, limit: number): Promise<number> {
    const ids = await this.repository.findOwnIds(userId, limit);
    for (const id of ids) await this.removeIfThere(id);
    return ids.length;
  }

  private async removeIfThere(id: number): Promise<void> {
    try {
      await this.withWholePost(
        String(id),
        () => undefined,
        (tx, whole) => this.removeWhole(tx, whole),
      );
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
    }
  }

  private async createOnce(tx: Transaction, caller: Owner, post: NewPost): Promise<OwnPost> {
    const { mediaIds, visibility = 'public', tags } = post;
    await this.lockOwnMedia(tx, caller, mediaIds);
    const made = await this.repository.insert(tx, {
      slug: randomSlug(),
      userId: caller.userId,
      title: post.title ?? null,
      description: post.description ?? null,
      visibility,
      accessKey: accessKeyAfter(null, visibility, randomAccessKey),
    });
    await this.postMedia.append(tx, made.id, mediaIds);
    let { to: status } = await this.postMedia.derive(tx, made.id);
    if (post.isNsfw) {
      await this.repository.change(tx, made.id, { ownerNsfw: true });
      const change = await this.postMedia.derive(tx, made.id);
      await this.logOwnersDecision(tx, made, caller, change);
      status = change.to;
    }
    await this.media.deriveListings(tx, mediaIds);
    await this.outbox.add(tx, postCreated, {
      post_id: made.id,
      slug: made.slug,
      user_id: caller.userId,
      visibility,
      moderation_status: status,
      media_ids: mediaIds,
    });
    await this.authors.holdLiving(tx, caller.userId);
    if (tags && tags.length > 0) await this.tags.setPostTags(tx, made.id, tags);
    return made;
  }

  /** Changes a locked post. */
  private async change(
    tx: Transaction,
    post: PostEntity,
    caller: Owner,
    changes: PostChanges,
  ): Promise<OwnPost> {
    if (changes.isNsfw !== undefined && !mayMarkNsfw(post)) throw new ForbiddenError();
    const { fields, changed } = differences(post, changes);
    if (changes.mediaOrder && (await this.reorder(tx, post.id, changes.mediaOrder))) changed.push('media');
    await this.repository.change(tx, post.id, fields);
    const status = await this.postMedia.deriveAndTell(tx, post.id, changed);
    if (fields.ownerNsfw !== undefined) await this.logOwnersDecision(tx, post, caller, status);
    if (changed.includes('tags')) await this.tags.setPostTags(tx, post.id, changes.tags ?? []);
    return { ...post, ...fields };
  }

  /** Whether the order is another than before. */
  private async reorder(tx: Transaction, postId: number, order: readonly string[]): Promise<boolean> {
    const present = await this.postMedia.findMedia(tx, postId);
    const slugs = present.map(({ slug }) => slug);
    if (!isPermutation(order, slugs)) {
      throw new InvalidFieldsError({
        media_order: ['The media_order field must hold the slug of every media of the post, and no other.'],
      });
    }
    if (order.every((slug, place) => slug === slugs[place])) return false;
    const ids = new Map(present.map(({ id, slug }) => [slug, id]));
    await this.postMedia.reorder(
      tx,
      postId,
      order.flatMap((slug) => ids.get(slug) ?? []),
    );
    return true;
  }

  private async removeWhole(tx: Transaction, { post, mediaIds }: WholePost): Promise<void> {
    await this.repository.remove(tx, post.id);
    await this.media.deriveListings(tx, mediaIds);
    await this.outbox.add(tx, postDeleted, { post_id: post.id, slug: post.slug, user_id: post.userId });
  }

  private async logOwnersDecision(
    tx: Transaction,
    { id, slug }: Pick<PostEntity, 'id' | 'slug'>,
    caller: Owner,
    { from, to }: PostStatusChange,
  ): Promise<void> {
    await this.decisions.append(tx, {
      subject: 'post',
      subjectId: id,
      slug,
      decidedBy: 'owner',
      decidedByUserId: caller.userId,
      from,
      to,
      reason: 'owner',
      scores: null,
      note: null,
    });
  }

  /** Locks media; throws `InvalidFieldsError` naming each that isn't the caller's own, or isn't there. */
  private async lockOwnMedia(tx: Transaction, caller: Owner, mediaIds: readonly number[]): Promise<void> {
    const locked = await this.media.lockAll(tx, mediaIds);
    const own = new Set(locked.filter(({ userId }) => userId === caller.userId).map(({ id }) => id));
    refuseItems(
      mediaIds,
      (id) => !own.has(id),
      (item) => `The selected ${item} is invalid.`,
    );
  }

  private async lockOwn(tx: Transaction, reference: string, caller: Owner): Promise<PostEntity> {
    const named = readPostReference(reference);
    return requireOwn(named && (await this.repository.lock(tx, named)), assertOwnedBy(caller, reference));
  }

  private async findOwn(tx: Transaction, reference: string, caller: Owner): Promise<PostEntity> {
    const named = readPostReference(reference);
    return requireOwn(named && (await this.repository.find(tx, named)), assertOwnedBy(caller, reference));
  }

  /**
   * Does some work on a post while it is locked with all its media: these first, by id, as everybody does, so that
   * which feeds show them can change with the post. Throws `NotFoundError`, and whatever `assertAllowed` throws.
   */
  private async withWholePost<Result>(
    reference: string,
    assertAllowed: (post: PostEntity) => void,
    work: (tx: Transaction, whole: WholePost) => Promise<Result>,
  ): Promise<Result> {
    const named = readPostReference(reference);
    if (!named) throw new NotFoundError();
    for (;;) {
      try {
        return await this.transactions.run(async (tx) =>
          work(tx, await this.lockWholePost(tx, named, assertAllowed)),
        );
      } catch (error) {
        // Rarely more than once: each time, somebody else's change of this post has been committed.
        if (!(error instanceof MediaMovedError)) throw error;
      }
    }
  }

  private async lockWholePost(
    tx: Transaction,
    named: PostReference,
    assertAllowed: (post: PostEntity) => void,
  ): Promise<WholePost> {
    const { id } = requireOwn(await this.repository.find(tx, named), assertAllowed);
    const mediaIds = await this.findMediaIds(tx, id);
    await this.media.lockAll(tx, mediaIds);
    const post = requireOwn(await this.repository.lock(tx, { id }), assertAllowed);
    if ((await this.findMediaIds(tx, id)).join() !== mediaIds.join()) throw new MediaMovedError();
    return { post, mediaIds };
  }

  private async findMediaIds(tx: Transaction, postId: number): Promise<number[]> {
    return (await this.postMedia.findMedia(tx, postId)).map(({ id }) => id).sort((a, b) => a - b);
  }
}

/** `reference`: as the caller named the post. */
const assertOwnedBy =
  (caller: Owner, reference: string) =>
  (post: PostEntity): void => {
    const named = readPostReference(reference);
    if (!named || !canSeePost(post, caller, null, namedBy(named))) throw new NotFoundError();
    if (!ownsPost(post, caller)) throw new ForbiddenError();
  };

function requireOwn(post: PostEntity | null, assertAllowed: (post: PostEntity) => void): PostEntity {
  if (!post) throw new NotFoundError();
  assertAllowed(post);
  return post;
}

/** Throws `InvalidFieldsError` naming each of `media_ids` that is bad. */
function refuseItems(
  mediaIds: readonly number[],
  isBad: (id: number) => boolean,
  sentence: (item: string) => string,
): void {
  const bad = mediaIds.flatMap((id, place) => (isBad(id) ? [`media_ids.${place}`] : []));
  if (bad.length === 0) return;
  throw new InvalidFieldsError(Object.fromEntries(bad.map((item) => [item, [sentence(item)]])));
}

/** What differs from the post as it is: the columns, and the names by which the bus is told. */
function differences(
  post: PostEntity,
  changes: PostChanges,
): { readonly fields: OwnersFields; readonly changed: string[] } {
  const { title, description, visibility, isNsfw, tags } = changes;
  const fields: OwnersFields = {
    ...(title !== undefined && title !== post.title && { title }),
    ...(description !== undefined && description !== post.description && { description }),
    ...(visibility !== undefined &&
      visibility !== post.visibility && {
        visibility,
        accessKey: accessKeyAfter(post, visibility, randomAccessKey),
      }),
    ...(isNsfw !== undefined && isNsfw !== post.ownerNsfw && { ownerNsfw: isNsfw }),
    ...(isNsfw === false && post.nsfwBeforeRuling && { nsfwBeforeRuling: false }),
  };
  const names = {
    title: 'title',
    description: 'description',
    visibility: 'visibility',
    ownerNsfw: 'is_nsfw',
  };
  const changed = Object.entries(names).flatMap(([field, name]) => (field in fields ? [name] : []));
  if (tags !== undefined && (tags ?? []).join() !== post.tags.join()) changed.push('tags');
  return { fields, changed };
}
