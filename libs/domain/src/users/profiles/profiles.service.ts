import { Injectable } from '@nestjs/common';
import { USERNAME_PATTERN } from '@vitrine/contracts';
import { NotFoundError } from '../../errors/domain-error';
import { FeedsService } from '../../feeds/feeds.service';
import { FollowsService } from '../../follows/follows.service';
import type { Viewer } from '../../media/media.rules';
import { ProfileRepository, type ProfileRow } from './profile.repository';

/** An account as others see it. */
export interface Profile extends ProfileRow {
  /** What everybody can find. */
  readonly postCount: number;
  readonly mediaCount: number;
  readonly isFollowedByViewer: boolean;
}

/** Accounts as others see them. */
@Injectable()
export class ProfilesService {
  constructor(
    private readonly repository: ProfileRepository,
    private readonly feeds: FeedsService,
    private readonly follows: FollowsService,
  ) {}

  /** Throws `NotFoundError` where there is no such account, or it is deleted. */
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
