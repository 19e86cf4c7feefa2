import { Injectable } from '@nestjs/common';
import { USERNAME_PATTERN } from '@vitrine/contracts';
import type { Viewer } from '../access/viewer';
import { NotFoundError } from '../errors/domain-error';
import { FeedsService } from '../feeds/feeds.service';
import { FollowsService } from '../follows/follows.service';
import { ProfileRepository, type ProfileRow } from './profile.repository';

/** A user as others see it. */
export interface Profile extends ProfileRow {
  /** The number of posts that others can find, including nsfw ones. */
  readonly postCount: number;
  readonly mediaCount: number;
  readonly isFollowedByViewer: boolean;
}

/** Users as others see them. */
@Injectable()
export class ProfilesService {
  constructor(
    private readonly repository: ProfileRepository,
    private readonly feeds: FeedsService,
    private readonly follows: FollowsService,
  ) {}

  /** The profile of a member by username, ignoring case. Throws `NotFoundError`. */
  async find(username: string, viewer: Viewer): Promise<Profile> {
    const account = USERNAME_PATTERN.test(username) ? await this.repository.findByUsername(username) : null;
    if (!account) throw new NotFoundError();
    const userId = account.id;
    const [postCount, mediaCount, isFollowedByViewer] = await Promise.all([
      this.feeds.count({ items: 'posts', audience: 'adults', userId }),
      this.feeds.count({ items: 'media', audience: 'adults', userId }),
      this.follows.isFollowing(viewer?.userId ?? null, userId),
    ]);
    return { ...account, postCount, mediaCount, isFollowedByViewer };
  }
}
