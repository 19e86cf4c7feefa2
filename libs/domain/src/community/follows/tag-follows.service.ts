import { Injectable } from '@nestjs/common';
import { MAX_FOLLOWED_TAGS } from '@vitrine/contracts';
import type { PageQuery } from '@vitrine/contracts/api';
import { Database } from '@vitrine/database';
import type { Caller } from '../../base/access/caller';
import { InvalidFieldsError, NotFoundError, UnauthenticatedError } from '../../base/errors/domain-error';
import type { Viewer } from '../../base/access/viewer';
import { FollowCountsService } from '../../accounts/users/follow-counts.service';
import type { TagUse } from '../../posts/tags/tag.repository';
import { TagsService } from '../../posts/tags/tags.service';
import { type TagFollow, TagFollowRepository } from './tag-follow.repository';

/**
 * Following tags. Names are read ignoring case; an unknown tag is a `NotFoundError`. A tag is unknown to a viewer who doesn't
 * follow it if all its items are private or otherwise in no feed: its name may be a secret.
 */
@Injectable()
export class TagFollowsService {
  constructor(
    private readonly database: Database,
    private readonly repository: TagFollowRepository,
    private readonly tags: TagsService,
    private readonly counts: FollowCountsService,
  ) {}

  /**
   * Follows a tag. Idempotent. Throws `InvalidFieldsError` on `tag` if the caller follows `MAX_FOLLOWED_TAGS` others.
   */
  async follow(name: string, caller: Caller): Promise<void> {
    const { userId } = caller;
    const { tagId } = await this.requireTag(name, caller);
    await this.database.transaction(async (tx) => {
      // The lock keeps simultaneous calls within the limit, and waits for a deletion of the account.
      if (!(await this.counts.lock(tx, [userId])).has(userId)) throw new UnauthenticatedError();
      if ((await this.repository.insert(tx, userId, tagId)) > MAX_FOLLOWED_TAGS) {
        throw new InvalidFieldsError({ tag: [`You cannot follow more than ${MAX_FOLLOWED_TAGS} tags.`] });
      }
    });
  }

  /** Unfollows a tag. Idempotent. */
  async unfollow(name: string, caller: Caller): Promise<void> {
    const { tagId } = await this.requireTag(name, caller);
    await this.database.transaction((tx) => this.repository.remove(tx, caller.userId, tagId));
  }

  /** A tag with its counts, and whether the viewer follows it. nsfw items count if `nsfw` is true. */
  async find(
    name: string,
    nsfw: boolean,
    viewer: Viewer,
  ): Promise<TagUse & { readonly isFollowedByViewer: boolean }> {
    const { tagId, isFollowedByViewer, all } = await this.requireTag(name, viewer);
    const use = nsfw ? all : await this.tags.findUse(tagId, false);
    return { ...use, isFollowedByViewer };
  }

  /** One page of the tags that the caller follows, by name. */
  findPage(
    { userId }: Caller,
    { page, limit }: PageQuery,
  ): Promise<{ readonly items: readonly TagFollow[]; readonly total: number }> {
    return this.repository.findPage(userId, limit, (page - 1) * limit);
  }

  /** Removes up to `batch` follows of a deleted account. Returns 0 if none are left. */
  eraseFollowsOf(userId: number, batch: number): Promise<number> {
    return this.database.transaction((tx) => this.repository.removeOf(tx, userId, batch));
  }

  private async requireTag(
    name: string,
    viewer: Viewer,
  ): Promise<{ readonly tagId: number; readonly isFollowedByViewer: boolean; readonly all: TagUse }> {
    const tagId = await this.tags.findTagId(name);
    if (tagId === null) throw new NotFoundError();
    const [all, isFollowedByViewer] = await Promise.all([
      this.tags.findUse(tagId, true),
      viewer === null ? false : this.repository.exists(viewer.userId, tagId),
    ]);
    if (!isFollowedByViewer && all.postCount + all.mediaCount === 0) throw new NotFoundError();
    return { tagId, isFollowedByViewer, all };
  }
}
