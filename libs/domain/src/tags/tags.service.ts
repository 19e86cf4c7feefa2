import { Injectable } from '@nestjs/common';
import { type TagListQuery, toTagName } from '@vitrine/contracts';
import type { Transaction } from '@vitrine/database';
import { type Tagged, TagRepository, type TagUse } from './tag.repository';

const POSTS: Tagged = { table: 'posts', tags: 'post_tags', key: 'post_id' };
const MEDIA: Tagged = { table: 'media', tags: 'media_tags', key: 'media_id' };

/** One page of the tags in use. */
export interface TagPage {
  readonly items: readonly TagUse[];
  /** Tags of the whole list. */
  readonly total: number;
}

/** Tags, and what is tagged with them. */
@Injectable()
export class TagsService {
  constructor(private readonly repository: TagRepository) {}

  /**
   * Gives a post these tags (as `TagNames` leaves them) and no others, within the caller's transaction. The post's
   * row must be locked. To be called after every other lock is taken: whoever else is making one of the tags is
   * waited for.
   */
  setPostTags(tx: Transaction, postId: number, names: readonly string[]): Promise<void> {
    return this.setTags(tx, POSTS, postId, names);
  }

  /** As `setPostTags`, of a media. */
  setMediaTags(tx: Transaction, mediaId: number, names: readonly string[]): Promise<void> {
    return this.setTags(tx, MEDIA, mediaId, names);
  }

  /** The id of a tag, by its name ignoring case; null where there is none. For `mayLag` see `Feed`. */
  findTagId(name: string, mayLag = false): Promise<number | null> {
    return this.repository.findId(toTagName(name), mayLag);
  }

  /**
   * Tags in use, most used first, filtered by the beginning of their names ignoring case; nsfw items count if `nsfw` is
   * true. For `mayLag` see `Feed`.
   */
  async findPage({ q = '', nsfw = false, page, limit }: TagListQuery, mayLag = false): Promise<TagPage> {
    const prefix = q.toLowerCase().normalize('NFC').trimStart();
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
