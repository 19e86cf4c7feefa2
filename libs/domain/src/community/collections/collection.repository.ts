import { Injectable } from '@nestjs/common';
import type { CollectionVisibility, Listing } from '@vitrine/contracts';
import { Database, type Transaction, violatedUniqueConstraint } from '@vitrine/database';
import { SlugTakenError } from '../../base/identifiers/fresh-slug';
import { type PostReference, referenceCondition } from '../../posts/rows/post-reference';

/** A list of posts that an account has saved. */
export interface Collection {
  readonly id: number;
  readonly slug: string;
  readonly userId: number;
  /** Null for the saved posts that every account has. */
  readonly name: string | null;
  readonly visibility: CollectionVisibility;
  readonly createdAt: Date;
  /** Null if it was not counted. */
  readonly postCount: number | null;
}

/** The fields that owners set. */
export type CollectionFields = Pick<Collection, 'name' | 'visibility'>;

const COLUMNS = 'id, slug, user_id as "userId", name, visibility, created_at as "createdAt"';
const COUNTED = `${COLUMNS},
  (select count(*)::integer from collection_posts where collection_id = collections.id) as "postCount"`;

/** So many posts on each side of one are read, because a few of them may not be shown. */
const NEAR = 10;

/** "coll" in ASCII: first half of the advisory locks for counting an account's collections. */
const LOCKS = 0x636f6c6c;

/** Every query on the tables `collections` and `collection_posts`. */
@Injectable()
export class CollectionRepository {
  constructor(private readonly database: Database) {}

  /** The collections of an account: the saved posts first, then the latest. Counting them all can take a tenth of a second. */
  findOf(userId: number, isCounted: boolean): Promise<Collection[]> {
    return this.database.read<Collection>(
      `select ${isCounted ? COUNTED : `${COLUMNS}, null as "postCount"`} from collections where user_id = $1 order by name is not null, id desc`,
      [userId],
    );
  }

  /** The collection with this slug. */
  async find(slug: string): Promise<Collection | null> {
    const [row] = await this.database.read<Collection>(`select ${COUNTED} from collections where slug = $1`, [
      slug,
    ]);
    return row ?? null;
  }

  /** The saved posts of an account; null before the first one is saved. */
  async findSaved(userId: number): Promise<Collection | null> {
    const [row] = await this.database.read<Collection>(
      `select ${COUNTED} from collections where user_id = $1 and name is null`,
      [userId],
    );
    return row ?? null;
  }

  /** Which of an account's collections hold a post. */
  async findHolding(userId: number, post: PostReference): Promise<ReadonlySet<number>> {
    const [column, named] = referenceCondition(post);
    const rows = await this.database.read<{ id: number }>(
      `select c.id from collections c
       join collection_posts held on held.collection_id = c.id
         and held.post_id = (select id from posts where ${column} = $2)
       where c.user_id = $1`,
      [userId, named],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** The number of an account's collections. Others who ask for the same account wait for the end of the transaction. */
  async countLocked(tx: Transaction, userId: number): Promise<number> {
    await tx.query('select pg_advisory_xact_lock($1, hashint8($2))', [LOCKS, userId]);
    const [row] = await tx.query<{ count: number }>(
      'select count(*)::integer as count from collections where user_id = $1',
      [userId],
    );
    return row?.count ?? 0;
  }

  /** Adds a collection. Does nothing if it is the account's second one for saved posts. Throws `SlugTakenError`. */
  async insert(
    tx: Transaction,
    userId: number,
    slug: string,
    { name, visibility }: CollectionFields,
  ): Promise<void> {
    try {
      await tx.query(
        `insert into collections (user_id, slug, name, visibility) values ($1, $2, $3, $4)
         on conflict (user_id) where name is null do nothing`,
        [userId, slug, name, visibility],
      );
    } catch (error) {
      if (violatedUniqueConstraint(error) === 'collections_slug_key') throw new SlugTakenError('collection');
      throw error;
    }
  }

  /** Locks a collection; returns false if it is gone. */
  lock(tx: Transaction, id: number): Promise<boolean> {
    return tx.affects('select id from collections where id = $1 for no key update', [id]);
  }

  async update(tx: Transaction, id: number, changes: Partial<CollectionFields>): Promise<void> {
    await tx.query(
      'update collections set name = coalesce($2, name), visibility = coalesce($3, visibility) where id = $1',
      [id, changes.name, changes.visibility],
    );
  }

  async remove(tx: Transaction, id: number): Promise<void> {
    await tx.query('delete from collections where id = $1', [id]);
  }

  /** Adds a post to a locked collection, unless it is in it. Returns the number of posts after that. */
  async addPost(tx: Transaction, id: number, postId: number): Promise<number> {
    await tx.query(
      `insert into collection_posts (collection_id, post_id) select $1, id from posts where id = $2 for key share
       on conflict do nothing`,
      [id, postId],
    );
    const [row] = await tx.query<{ count: number }>(
      'select count(*)::integer as count from collection_posts where collection_id = $1',
      [id],
    );
    return row?.count ?? 0;
  }

  /** Takes a post out of a collection, whether or not it can still be seen. */
  async removePost(tx: Transaction, id: number, post: PostReference): Promise<void> {
    const [column, named] = referenceCondition(post);
    await tx.query(
      `delete from collection_posts
       where collection_id = $1 and post_id = (select id from posts where ${column} = $2)`,
      [id, named],
    );
  }

  /** The ids of a page of a collection's posts, those saved last first. */
  async findPostIds(
    id: number,
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): Promise<number[]> {
    const rows = await this.database.read<{ postId: number }>(
      `select post_id as "postId" from collection_posts where collection_id = $1
       order by id desc limit $2 offset $3`,
      [id, limit, offset],
    );
    return rows.map(({ postId }) => postId);
  }

  /**
   * The ids of a post in a collection and of those beside it, in the order of `findPostIds`: only posts with some listings
   * and the viewer's own ones, without those of hidden people.
   */
  async findPostIdsAround(
    id: number,
    postId: number,
    listings: readonly Listing[],
    [viewerId, hidden]: readonly [viewer: number | null, hidden: Iterable<number>],
  ): Promise<number[]> {
    // The inner limit makes PostgreSQL look up each post, and stop after a few.
    const side = (comparison: '<' | '>=', order: 'asc' | 'desc'): string => `
      (select entry.id, post_id from collection_posts entry cross join lateral (
         select from posts p where p.id = post_id and (listing = any($3::text[]) or user_id = $4)
           and (user_id is null or user_id <> all($5::bigint[])) limit 1) as seen
       where collection_id = $1 and entry.id ${comparison} (
         select id from collection_posts where collection_id = $1 and post_id = $2)
       order by entry.id ${order} limit ${NEAR + 1})`;
    const rows = await this.database.read<{ postId: number }>(
      `select post_id as "postId" from (${side('<', 'desc')} union all ${side('>=', 'asc')}) as around
       order by around.id desc`,
      [id, postId, listings, viewerId, [...hidden]],
    );
    return rows.map((row) => row.postId);
  }

  /** Removes one collection of an account with its entries; returns how many were found. */
  async removeOneOf(tx: Transaction, userId: number): Promise<number> {
    const rows = await tx.query(
      `delete from collections where id = (select id from collections where user_id = $1 limit 1) returning id`,
      [userId],
    );
    return rows.length;
  }
}
