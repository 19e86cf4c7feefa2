import { Injectable } from '@nestjs/common';
import { MAX_POST_MEDIA, postCreated, postDeleted } from '@vitrine/contracts';
import { Database, type Transaction } from '@vitrine/database';
import { Outbox } from '@vitrine/outbox';
import { owns, type Viewer } from '../../base/access/viewer';
import type { OwnersFields, PostEntity, PostStatusChange } from '../rows/post.entity';
import { ForbiddenError, InvalidFieldsError, NotFoundError } from '../../base/errors/domain-error';
import type { MediaView, UploadQuota } from '../../media/items/media.types';
import { MediaDeletion } from '../../media/items/media-deletion.service';
import { MediaListings } from '../../media/items/media-listings.service';
import { MediaLocks } from '../../media/items/media-locks.service';
import { MediaReading } from '../../media/items/media-reading.service';
import { MediaUploads } from '../../media/items/media-uploads.service';
import type { NewMedia } from '../../media/rows/media-row.types';
import { DecisionLog } from '../../moderation/decisions/decision-log.service';
import { withFreshSlug } from '../../base/identifiers/fresh-slug';
import { RanksService } from '../feeds/ranks.service';
import { TagsService } from '../tags/tags.service';
import { NotificationsService } from '../../community/notifications/notifications.service';
import { AuthorsService } from '../../accounts/authors/authors.service';
import { randomAccessKey } from '../rows/access-key';
import { assertNoItem, PostMediaService } from '../rows/post-media.service';
import type { NewPost, OwnPost, PostChanges, PostOfUpload } from './post.types';
import { namedBy, readPostReference } from '../rows/post-reference';
import { PostRepository } from '../rows/post.repository';
import { accessKeyAfter, canSeePost, derivePostStatus, isPermutation, mayMarkNsfw } from '../rows/post.rules';
import { requireAllowed, type WholePost, WholePostLock } from './whole-post-lock';

/** The owner of the posts that are edited. */
type Owner = NonNullable<Viewer>;

/**
 * Use cases of owners with their posts. A `reference` is a slug or numeric id. Locks are taken in one order: media by
 * id, the post, users, tags.
 */
@Injectable()
export class PostEditingService {
  constructor(
    private readonly database: Database,
    private readonly repository: PostRepository,
    private readonly wholePosts: WholePostLock,
    private readonly postMedia: PostMediaService,
    private readonly mediaUploads: MediaUploads,
    private readonly mediaListings: MediaListings,
    private readonly mediaDeletion: MediaDeletion,
    private readonly mediaLocks: MediaLocks,
    private readonly media: MediaReading,
    private readonly tags: TagsService,
    private readonly authors: AuthorsService,
    private readonly decisions: DecisionLog,
    private readonly outbox: Outbox,
    private readonly ranks: RanksService,
    private readonly notifications: NotificationsService,
  ) {}

  /**
   * Creates a post from media of the caller, given by ids or slugs, which may be in other posts too. Rejected media
   * are shown to the owner and moderators only. Throws `InvalidFieldsError` for each `media_ids.<n>` that is unknown
   * or of another user, and `UnauthenticatedError` if the account has been deleted in the meantime.
   */
  create(caller: Owner, post: NewPost): Promise<OwnPost> {
    return withFreshSlug('post', (slug) =>
      this.database.transaction((tx) => this.insert(tx, slug, caller, post)),
    );
  }

  /**
   * Registers the media item of an upload by the caller, and creates a post of it with the same title, description and
   * tags. Either both are committed or neither. Throws as `MediaUploads.register` does.
   */
  async createFromUpload(
    caller: Owner,
    upload: NewMedia,
    quota: UploadQuota,
    post: PostOfUpload,
  ): Promise<MediaView & { readonly post: OwnPost }> {
    const { title, description, tags } = upload;
    const { view, placed } = await withFreshSlug('post', (slug) =>
      this.mediaUploads.registerAndPlace(upload, quota, (tx, mediaIds) =>
        this.insert(tx, slug, caller, { ...post, mediaIds, title, description, tags }),
      ),
    );
    return { ...view, post: placed };
  }

  /**
   * Changes a post of the caller. Throws `NotFoundError`, `ForbiddenError` (also for `isNsfw` if a moderator rejected
   * the post), and `InvalidFieldsError` on `media_order`.
   */
  async update(reference: string, caller: Owner, changes: PostChanges): Promise<OwnPost> {
    // Of all fields, only the visibility changes which feeds show the post's media.
    if (changes.visibility === undefined) {
      return this.database.transaction(async (tx) =>
        this.change(tx, await this.lockOwn(tx, reference, caller), caller, changes),
      );
    }
    return this.withWholeOwnPost(reference, caller, async (tx, { post, mediaIds }) => {
      const changed = await this.change(tx, post, caller, changes);
      await this.mediaListings.deriveListings(tx, mediaIds);
      return changed;
    });
  }

  /**
   * Deletes a post of the caller. Its media stay, or with `alongWithMedia` only those that are in other posts too.
   * Throws `NotFoundError`, `ForbiddenError`.
   */
  async remove(reference: string, caller: Owner, alongWithMedia = false): Promise<void> {
    await this.withWholeOwnPost(reference, caller, async (tx, whole) => {
      await this.removeWhole(tx, whole);
      if (alongWithMedia) await this.mediaDeletion.removeUnplaced(tx, whole.mediaIds);
    });
  }

  /**
   * Adds media of the caller at the end of a post of the caller. Throws `NotFoundError`, `ForbiddenError`, and
   * `InvalidFieldsError` on `media_ids`.
   */
  async addMedia(reference: string, caller: Owner, media: readonly (number | string)[]): Promise<void> {
    await this.database.transaction(async (tx) => {
      await this.findOwn(tx, reference, caller);
      const mediaIds = await this.lockOwnMedia(tx, caller, media);
      const post = await this.lockOwn(tx, reference, caller);
      const present = new Set((await this.postMedia.findMedia(tx, post.id)).map(({ id }) => id));
      assertNoItem(
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
      await this.postMedia.deriveAndPublish(tx, post.id, ['media']);
      await this.mediaListings.deriveListings(tx, mediaIds);
    });
  }

  /**
   * Removes a media item from a post of the caller; the media item itself stays. Throws `NotFoundError`, also if it
   * isn't in the post, `ForbiddenError`, and `InvalidFieldsError` on `media` if it is the last one.
   */
  async removeMedia(reference: string, caller: Owner, mediaSlug: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      const { id: postId } = await this.findOwn(tx, reference, caller);
      const wanted = (await this.postMedia.findMedia(tx, postId)).find(({ slug }) => slug === mediaSlug);
      if (!wanted) throw new NotFoundError();
      await this.mediaLocks.lockAll(tx, [wanted.id]);
      await this.lockOwn(tx, reference, caller);
      const present = await this.postMedia.findMedia(tx, postId);
      if (!present.some(({ id }) => id === wanted.id)) throw new NotFoundError();
      if (present.length === 1) {
        throw new InvalidFieldsError({ media: ['The last media item of a post may not be removed.'] });
      }
      await this.postMedia.detach(tx, postId, wanted.id);
      await this.postMedia.deriveAndPublish(tx, postId, ['media']);
      await this.mediaListings.deriveListings(tx, [wanted.id]);
    });
  }

  /**
   * Deletes up to `limit` posts of an account that is being erased, each in its own transaction; returns how many.
   */
  async removeAllOf(userId: number, limit: number): Promise<number> {
    const ids = await this.repository.findOwnIds(userId, limit);
    for (const id of ids) await this.removeIfThere(id);
    return ids.length;
  }

  private async removeIfThere(id: number): Promise<void> {
    try {
      await this.wholePosts.run({ id }, {}, (tx, whole) => this.removeWhole(tx, whole));
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
    }
  }

  private async withWholeOwnPost<Result>(
    reference: string,
    caller: Owner,
    work: (tx: Transaction, whole: WholePost) => Promise<Result>,
  ): Promise<Result> {
    const named = readPostReference(reference);
    if (!named) throw new NotFoundError();
    return this.wholePosts.run(named, { assertAllowed: assertOwnedBy(caller, reference) }, work);
  }

  private async insert(tx: Transaction, slug: string, caller: Owner, post: NewPost): Promise<OwnPost> {
    const { visibility = 'public', tags } = post;
    const mediaIds = await this.lockOwnMedia(tx, caller, post.mediaIds);
    const made = await this.repository.insert(tx, {
      slug,
      userId: caller.userId,
      title: post.title ?? null,
      description: post.description ?? null,
      visibility,
      accessKey: accessKeyAfter(null, visibility, randomAccessKey),
      ownerNsfw: post.isNsfw ?? false,
      tags: tags ?? [],
    });
    await this.postMedia.append(tx, made.id, mediaIds);
    const derived = await this.postMedia.derive(tx, made.id);
    if (post.isNsfw) {
      const from = derivePostStatus({ ...derived, ownerNsfw: false });
      await this.logOwnersDecision(tx, made, caller, { from, to: derived.to });
    }
    await this.mediaListings.deriveListings(tx, mediaIds);
    await this.outbox.add(tx, postCreated, {
      post_id: made.id,
      slug: made.slug,
      user_id: caller.userId,
      visibility,
      moderation_status: derived.to,
      media_ids: mediaIds,
    });
    await this.authors.holdLiving(tx, caller.userId);
    if (tags && tags.length > 0) await this.tags.setPostTags(tx, made.id, tags);
    await this.mention(tx, made, post.description ?? null);
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
    const status = await this.postMedia.deriveAndPublish(tx, post.id, changed);
    if (fields.ownerNsfw !== undefined) await this.logOwnersDecision(tx, post, caller, status);
    if (fields.tags !== undefined) {
      await this.ranks.queue(tx, 'posts', [post.id]);
      await this.tags.setPostTags(tx, post.id, fields.tags);
    }
    if (fields.description) await this.mention(tx, post, fields.description, post.description);
    return { ...post, ...fields };
  }

  /** Notifies whom the description of a post names. */
  private async mention(
    tx: Transaction,
    { id, userId }: Pick<PostEntity, 'id' | 'userId'>,
    text: string | null,
    before: string | null = null,
  ): Promise<void> {
    for (const receiver of await this.notifications.findMentioned(text, before))
      await this.notifications.add(tx, { userId: receiver, kind: 'mention', actorId: userId, postId: id });
  }

  /** Reorders a post's media; returns whether the order has changed. */
  private async reorder(
    tx: Transaction,
    postId: number,
    named: readonly (number | string)[],
  ): Promise<boolean> {
    const present = await this.postMedia.findMedia(tx, postId);
    const slugOf = new Map(present.map(({ id, slug }) => [id, slug]));
    const order = named.map((name) => (typeof name === 'number' ? (slugOf.get(name) ?? String(name)) : name));
    const slugs = present.map(({ slug }) => slug);
    if (!isPermutation(order, slugs)) {
      throw new InvalidFieldsError({
        media_order: [
          'The media_order field must hold the slug of every media item of the post, and no others.',
        ],
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
    await this.mediaListings.deriveListings(tx, mediaIds);
    await this.outbox.add(tx, postDeleted, { post_id: post.id, slug: post.slug, user_id: post.userId });
  }

  private async logOwnersDecision(
    tx: Transaction,
    { id, slug }: Pick<PostEntity, 'id' | 'slug'>,
    { userId }: Owner,
    { from, to }: PostStatusChange,
  ): Promise<void> {
    await this.decisions.appendByOwner(tx, { subject: 'post', subjectId: id, slug, from, to }, userId);
  }

  /**
   * Locks media, given by ids or slugs, and returns their ids. Throws `InvalidFieldsError` for each that is unknown, of
   * another user, or given twice.
   */
  private async lockOwnMedia(
    tx: Transaction,
    caller: Owner,
    named: readonly (number | string)[],
  ): Promise<readonly number[]> {
    const mediaIds = await this.media.findIds(named);
    const locked = await this.mediaLocks.lockAll(tx, mediaIds);
    const own = new Set(locked.filter(({ userId }) => userId === caller.userId).map(({ id }) => id));
    assertNoItem(
      mediaIds,
      (id) => !own.has(id),
      (item) => `The selected ${item} is invalid.`,
    );
    assertNoItem(
      mediaIds,
      (id, place) => mediaIds.indexOf(id) < place,
      (item) => `The ${item} field has a duplicate value.`,
    );
    return mediaIds;
  }

  private async lockOwn(tx: Transaction, reference: string, caller: Owner): Promise<PostEntity> {
    const named = readPostReference(reference);
    return requireAllowed(named && (await this.repository.lock(tx, named)), assertOwnedBy(caller, reference));
  }

  private async findOwn(tx: Transaction, reference: string, caller: Owner): Promise<PostEntity> {
    const named = readPostReference(reference);
    return requireAllowed(named && (await this.repository.find(tx, named)), assertOwnedBy(caller, reference));
  }
}

/** Throws if the caller may not see or doesn't own the post. `reference` is how the caller named it. */
const assertOwnedBy =
  (caller: Owner, reference: string) =>
  (post: PostEntity): void => {
    const named = readPostReference(reference);
    if (!named || !canSeePost(post, caller, null, namedBy(named))) throw new NotFoundError();
    if (!owns(post, caller)) throw new ForbiddenError();
  };

/** What changes in the post: the columns, and their names in the event `post.updated`. */
function differences(
  post: PostEntity,
  changes: PostChanges,
): { readonly fields: OwnersFields; readonly changed: string[] } {
  const { title, description, visibility, isNsfw, tags, renewsAccessKey } = changes;
  const fields: OwnersFields = {
    ...(title !== undefined && title !== post.title && { title }),
    ...(description !== undefined && description !== post.description && { description }),
    ...(visibility !== undefined &&
      visibility !== post.visibility && {
        visibility,
        accessKey: accessKeyAfter(post, visibility, randomAccessKey),
      }),
    ...(renewsAccessKey && (visibility ?? post.visibility) === 'private' && { accessKey: randomAccessKey() }),
    ...(isNsfw !== undefined && isNsfw !== post.ownerNsfw && { ownerNsfw: isNsfw }),
    ...(isNsfw === false && post.nsfwBeforeRuling && { nsfwBeforeRuling: false }),
    ...(tags !== undefined && (tags ?? []).join() !== post.tags.join() && { tags: tags ?? [] }),
  };
  const names = {
    title: 'title',
    description: 'description',
    visibility: 'visibility',
    ownerNsfw: 'is_nsfw',
    tags: 'tags',
  };
  const changed = Object.entries(names).flatMap(([field, name]) => (field in fields ? [name] : []));
  return { fields, changed };
}
