import { Injectable } from '@nestjs/common';
import { isBlank, isSlug, MAX_COLLECTION_POSTS, MAX_COLLECTIONS } from '@vitrine/contracts';
import type { CollectionPostsQuery } from '@vitrine/contracts/api';
import { Database } from '@vitrine/database';
import type { Author } from '../../accounts/authors/author.types';
import { AuthorsService } from '../../accounts/authors/authors.service';
import type { Caller } from '../../base/access/caller';
import type { Reading } from '../../base/access/reading';
import type { Viewer } from '../../base/access/viewer';
import { ForbiddenError, InvalidFieldsError, NotFoundError } from '../../base/errors/domain-error';
import { withFreshSlug } from '../../base/identifiers/fresh-slug';
import { besideIn, listingsFor, type Neighbours } from '../../posts/feeds/feed';
import type { ListedPost, PostPage } from '../../posts/posts/post.types';
import { PostsService } from '../../posts/posts/posts.service';
import { readPostReference } from '../../posts/rows/post-reference';
import { canSeePost, isPostShownInList } from '../../posts/rows/post.rules';
import { type Hidden, RelationsService } from '../relations/relations.service';
import { type Collection, type CollectionFields, CollectionRepository } from './collection.repository';

/** A collection with its owner, as one viewer sees it. */
export interface CollectionView {
  readonly collection: Collection;
  readonly owner: Author;
  /** Whether it holds the post that the request has named; undefined if it has named none. */
  readonly contains?: boolean;
}

/** The name by which callers reach their own saved posts. */
const SAVED = 'saved';
/** The saved posts of an account before it has saved one. */
const NOTHING_SAVED: CollectionFields = { name: null, visibility: 'private' };

/** Collections of posts. `slug` may be `saved`: the caller's saved posts, which exist from the first use on. */
@Injectable()
export class CollectionsService {
  constructor(
    private readonly database: Database,
    private readonly repository: CollectionRepository,
    private readonly posts: PostsService,
    private readonly authors: AuthorsService,
    private readonly relations: RelationsService,
  ) {}

  /** The caller's collections, the saved posts first. `post` is a slug or id: `contains` then tells which hold it, and none
   * is counted. */
  async list(caller: Caller, post?: string): Promise<readonly CollectionView[]> {
    const named = post === undefined ? null : readPostReference(post);
    const find = (): Promise<readonly Collection[]> =>
      this.repository.findOf(caller.userId, post === undefined);
    const [known, holding, owner] = await Promise.all([
      find(),
      named && this.repository.findHolding(caller.userId, named),
      this.requireOwner(caller.userId),
    ]);
    let collections = known;
    if (collections[0]?.name !== null) {
      await this.requireSaved(caller.userId);
      collections = await find();
    }
    return collections.map((collection) => ({
      collection,
      owner,
      ...(post !== undefined && { contains: holding?.has(collection.id) ?? false }),
    }));
  }

  /** Throws `InvalidFieldsError` for a blank name, and if the account has too many collections. */
  async create(caller: Caller, { name, visibility }: CollectionFields): Promise<CollectionView> {
    requireName(name);
    const slug = await withFreshSlug('collection', async (fresh) => {
      await this.database.transaction(async (tx) => {
        await this.authors.holdLiving(tx, caller.userId);
        if ((await this.repository.countLocked(tx, caller.userId)) >= MAX_COLLECTIONS)
          throw new InvalidFieldsError({
            name: [`You cannot have more than ${MAX_COLLECTIONS} collections.`],
          });
        await this.repository.insert(tx, caller.userId, fresh, { name, visibility });
      });
      return fresh;
    });
    return this.find(slug, caller);
  }

  /** A collection that the viewer may see. Throws `NotFoundError`, also if the owner is deleted or suspended. */
  async find(slug: string, viewer: Viewer): Promise<CollectionView> {
    const collection =
      slug === SAVED && viewer
        ? await this.requireSaved(viewer.userId)
        : isSlug(slug)
          ? await this.repository.find(slug)
          : null;
    const isOwn = collection !== null && collection.userId === viewer?.userId;
    if (!collection || (collection.visibility === 'private' && !isOwn)) throw new NotFoundError();
    if (!isOwn) await this.relations.assertVisible(viewer, collection.userId);
    return { collection, owner: await this.requireOwner(collection.userId) };
  }

  /** Changes a collection of the caller. Throws `NotFoundError`, `ForbiddenError`, `InvalidFieldsError`. */
  async update(slug: string, caller: Caller, changes: Partial<CollectionFields>): Promise<CollectionView> {
    const collection = await this.requireOwn(slug, caller);
    if (changes.name !== undefined) {
      requireName(changes.name);
      if (collection.name === null)
        throw new InvalidFieldsError({ name: ['Saved posts have no other name.'] });
    }
    await this.database.transaction((tx) => this.repository.update(tx, collection.id, changes));
    return this.find(collection.slug, caller);
  }

  /** Deletes a collection of the caller; its posts stay. Throws `NotFoundError`, `ForbiddenError`. */
  async remove(slug: string, caller: Caller): Promise<void> {
    const { id } = await this.requireOwn(slug, caller);
    await this.database.transaction((tx) => this.repository.remove(tx, id));
  }

  /**
   * Adds a post, given by slug or id, to a collection of the caller. Idempotent. Throws `NotFoundError`, also for a private
   * post of somebody else, `ForbiddenError`, and `InvalidFieldsError` on `post` if the collection is full.
   */
  async addPost(slug: string, caller: Caller, post: string): Promise<void> {
    const { id } = await this.requireOwn(slug, caller);
    const { id: postId } = await this.posts.requireVisible(post, { viewer: caller });
    await this.database.transaction(async (tx) => {
      if (!(await this.repository.lock(tx, id))) throw new NotFoundError();
      if ((await this.repository.addPost(tx, id, postId)) > MAX_COLLECTION_POSTS) {
        const message = `A collection cannot hold more than ${MAX_COLLECTION_POSTS} posts.`;
        throw new InvalidFieldsError({ post: [message] });
      }
    });
  }

  /** Takes a post out of a collection of the caller. Idempotent. Throws `NotFoundError`, `ForbiddenError`. */
  async removePost(slug: string, caller: Caller, post: string): Promise<void> {
    const { id } = await this.requireOwn(slug, caller);
    const named = readPostReference(post);
    if (!named) throw new NotFoundError();
    await this.database.transaction((tx) => this.repository.removePost(tx, id, named));
  }

  /**
   * One page of a collection's posts, those saved last first. Posts that can't be seen at present are left out, and to
   * others than the collection's owner those that are in no feed; `total` counts them all the same.
   */
  async findPosts(slug: string, viewer: Viewer, query: CollectionPostsQuery): Promise<PostPage> {
    const { collection } = await this.find(slug, viewer);
    const { page, limit, nsfw = false } = query;
    const [ids, hidden] = await Promise.all([
      this.repository.findPostIds(collection.id, { limit, offset: (page - 1) * limit }),
      this.relations.findHidden(viewer),
    ]);
    const items = await this.show(collection, ids, { viewer, hidden, nsfw });
    return { items, total: collection.postCount ?? 0, seed: null };
  }

  /**
   * The posts before and after a post in a collection as its pages show it; both are null if they don't show the post, or
   * if the viewer may not see the collection. Throws `NotFoundError` if the viewer can't see the post.
   */
  async findNeighbours(
    slug: string,
    post: string,
    { nsfw = false }: Pick<CollectionPostsQuery, 'nsfw'>,
    reading: Reading,
  ): Promise<Neighbours<ListedPost>> {
    const { viewer } = reading;
    const { id } = await this.posts.requireVisible(post, reading);
    const view = await this.find(slug, viewer).catch((error: unknown) => {
      if (error instanceof NotFoundError) return null;
      throw error;
    });
    if (view === null) return { previous: null, next: null };
    const { collection } = view;
    const viewerId = viewer?.userId ?? null;
    const listings = [...listingsFor(nsfw ? 'adults' : 'everyone')];
    if (collection.userId === viewerId) listings.push('unlisted');
    const hidden = await this.relations.findHidden(viewer);
    const ids = await this.repository.findPostIdsAround(collection.id, id, listings, [viewerId, hidden]);
    const items = await this.show(collection, ids, { viewer, hidden, nsfw });
    return besideIn(
      items,
      items.findIndex((one) => one.post.id === id),
    );
  }

  /** Removes one collection of a deleted account. Returns 0 if none are left. */
  eraseCollectionsOf(userId: number): Promise<number> {
    return this.database.transaction((tx) => this.repository.removeOneOf(tx, userId));
  }

  /** Those of some posts of a collection that its pages show. */
  private async show(
    { userId }: Collection,
    ids: readonly number[],
    { viewer, hidden, nsfw }: { readonly viewer: Viewer; readonly hidden: Hidden; readonly nsfw: boolean },
  ): Promise<readonly ListedPost[]> {
    const byOwner = userId === viewer?.userId;
    const shows = ({ post, own, firstMedia }: ListedPost): boolean =>
      own ||
      isPostShownInList(post, nsfw) ||
      (byOwner &&
        post.listing === 'unlisted' &&
        canSeePost(post, viewer, null, 'slug') &&
        post.moderationStatus !== 'rejected' &&
        (nsfw || ![post.moderationStatus, firstMedia?.moderationStatus].includes('nsfw')));
    const listed = (await this.posts.findListed(ids, { viewer })).filter(shows);
    return this.relations.removeHidden(listed, hidden, viewer, ({ post }) => post.userId);
  }

  private async requireOwner(userId: number): Promise<Author> {
    const owner = (await this.authors.findVisibleAuthors([userId])).get(userId);
    if (!owner) throw new NotFoundError();
    return owner;
  }

  private async requireSaved(userId: number): Promise<Collection | null> {
    const found = await this.repository.findSaved(userId);
    if (found) return found;
    await withFreshSlug('collection', (slug) =>
      this.database.transaction(async (tx) => {
        await this.authors.holdLiving(tx, userId);
        await this.repository.insert(tx, userId, slug, NOTHING_SAVED);
      }),
    );
    return this.repository.findSaved(userId);
  }

  private async requireOwn(slug: string, caller: Caller): Promise<Collection> {
    const { collection } = await this.find(slug, caller);
    if (collection.userId !== caller.userId) throw new ForbiddenError();
    return collection;
  }
}

function requireName(name: string | null): void {
  if (name === null || isBlank(name)) throw new InvalidFieldsError({ name: ['The name field is required.'] });
}
