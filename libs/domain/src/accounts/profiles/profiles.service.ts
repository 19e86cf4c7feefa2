import { Injectable } from '@nestjs/common';
import { USERNAME_PATTERN } from '@vitrine/contracts';
import type { Viewer } from '../../base/access/viewer';
import { NotFoundError } from '../../base/errors/domain-error';
import { FeedsService } from '../../posts/feeds/feeds.service';
import { FollowsService } from '../../community/follows/follows.service';
import { RelationsService } from '../../community/relations/relations.service';
import { ProfileRepository, type ProfileRow } from './profile.repository';

/** A user as others see it. */
export interface Profile extends ProfileRow {
  /** The number of posts that others can find, including nsfw ones. */
  readonly postCount: number;
  readonly mediaCount: number;
  readonly isFollowedByViewer: boolean;
  readonly isBlockedByViewer: boolean;
  readonly isMutedByViewer: boolean;
}

/** Users as others see them. */
@Injectable()
export class ProfilesService {
  constructor(
    private readonly repository: ProfileRepository,
    private readonly feeds: FeedsService,
    private readonly follows: FollowsService,
    private readonly relations: RelationsService,
  ) {}

  /**
   * The profile of a member by username, ignoring case. Throws `NotFoundError`, also if the member blocks the viewer. Viewers
   * see the profiles of members whom they block themselves.
   */
  async find(username: string, viewer: Viewer): Promise<Profile> {
    const account = USERNAME_PATTERN.test(username) ? await this.repository.findByUsername(username) : null;
    if (!account) throw new NotFoundError();
    const userId = account.id;
    const [postCount, mediaCount, isFollowedByViewer, { blocks, isBlocked, mutes }] = await Promise.all([
      this.feeds.count({ items: 'posts', audience: 'adults', userId }),
      this.feeds.count({ items: 'media', audience: 'adults', userId }),
      this.follows.isFollowing(viewer?.userId ?? null, userId),
      this.relations.findStanding(viewer, userId),
    ]);
    if (isBlocked) throw new NotFoundError();
    const counts = { postCount, mediaCount };
    return { ...account, ...counts, isFollowedByViewer, isBlockedByViewer: blocks, isMutedByViewer: mutes };
  }
}
