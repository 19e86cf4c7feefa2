import { Injectable } from '@nestjs/common';
import { toTagName } from '@vitrine/contracts';
import type { TagListQuery } from '@vitrine/contracts/api';
import type { Transaction } from '@vitrine/database';
import { type Tagged, TagRepository, type TagUse } from './tag.repository';
import type { Reading } from '../../base/access/reading';

const POSTS: Tagged = { table: 'posts', tags: 'post_tags', key: 'post_id', ranks: 'post_ranks' };
const MEDIA: Tagged = { table: 'media', tags: 'media_tags', key: 'media_id', ranks: 'media_ranks' };

/** Characters of a name before its normalisation. */
const LONGEST_NAME = 255;

/** One page of the used tags. */
export interface TagPage {
  readonly items: readonly TagUse[];
  /** The number of tags in the whole list. */
  readonly total: number;
}

/** Tags, and the index of items by tag. */
@Injectable()
export class TagsService {
  constructor(private readonly repository: TagRepository) {}

  /**
   * Indexes a post by exactly these tags, within the caller's transaction, which also writes `posts.tags`. The post's
   * row must be locked. To be called after every other lock is taken, because it waits for other transactions that
   * create the tags.
   */
  setPostTags(tx: Transaction, postId: number, names: readonly string[]): Promise<void> {
    return this.setTags(tx, POSTS, postId, names);
  }

  /** As `setPostTags`, for a media item. */
  setMediaTags(tx: Transaction, mediaId: number, names: readonly string[]): Promise<void> {
    return this.setTags(tx, MEDIA, mediaId, names);
  }

  /** Locks the tags of some posts or media before their ranks, as a change of their listing does. */
  lockTags(tx: Transaction, items: Tagged['table'], ids: readonly number[]): Promise<void> {
    return this.repository.lock(tx, items === 'posts' ? POSTS : MEDIA, ids);
  }

  /** Copies the listings of some locked posts or media to the index of their tags. */
  copyListings(tx: Transaction, items: Tagged['table'], ids: readonly number[]): Promise<void> {
    return this.repository.copyListings(tx, items === 'posts' ? POSTS : MEDIA, ids);
  }

  /** Copies the ranks of some posts or media, or of all if `ids` is null, to the index of their tags. */
  copyRanks(tx: Transaction, items: Tagged['table'], ids: readonly number[] | null): Promise<void> {
    return this.repository.copyRanks(tx, items === 'posts' ? POSTS : MEDIA, ids);
  }

  /**
   * Copies the totals of feeds to the counts of tags, in the transaction that changed the totals. Of `feeds`, only those
   * of tags are copied; null means all.
   */
  async copyCounts(tx: Transaction, feeds: readonly string[] | null): Promise<void> {
    const ids = feeds && feeds.flatMap((feed) => /:tag:(\d+)$/.exec(feed)?.slice(1).map(Number) ?? []);
    if (ids?.length !== 0) await this.repository.copyCounts(tx, ids && [...new Set(ids)]);
  }

  /** The id of a tag by its name, ignoring case; null if there is none. */
  findTagId(name: string, { mayLag = false }: Pick<Reading, 'mayLag'> = {}): Promise<number | null> {
    // Longer names would only cost time; PostgreSQL refuses a text with U+0000.
    if (name.length > LONGEST_NAME || name.includes('\0')) return Promise.resolve(null);
    return this.repository.findId(toTagName(name), mayLag);
  }

  /** The most used tags that begin with a text, without nsfw items. */
  suggest(q: string, limit: number): Promise<readonly TagUse[]> {
    return this.repository.findUsed({ prefix: prefixOf(q), nsfw: false }, 0, limit, false);
  }

  /** A tag with its counts. nsfw items count if `nsfw` is true. */
  findUse(tagId: number, nsfw: boolean): Promise<TagUse> {
    return this.repository.findUse(tagId, nsfw);
  }

  /**
   * Used tags, most used first, filtered by the beginning of their names, ignoring case. nsfw items count if `nsfw`
   * is true.
   */
  async findPage(
    { q = '', nsfw = false, similar = false, page, limit }: TagListQuery,
    { mayLag = false }: Pick<Reading, 'mayLag'> = {},
  ): Promise<TagPage> {
    const prefix = prefixOf(q);
    if (similar) {
      const found = prefix === '' ? [] : await this.repository.findSimilar(prefix, nsfw, mayLag);
      return { items: found.slice((page - 1) * limit, page * limit), total: found.length };
    }
    const tags = { prefix, nsfw };
    const total = await this.repository.countUsed(tags, mayLag);
    const offset = (page - 1) * limit;
    const items = offset < total ? await this.repository.findUsed(tags, offset, limit, mayLag) : [];
    return { items, total };
  }

  private async setTags(
    tx: Transaction,
    tagged: Tagged,
    id: number,
    names: readonly string[],
  ): Promise<void> {
    if (names.length > 0) await this.repository.make(tx, names);
    await this.repository.assign(tx, tagged, id, names);
  }
}

const prefixOf = (text: string): string => text.toLowerCase().normalize('NFC').trimStart();
