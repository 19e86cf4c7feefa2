import { Injectable } from '@nestjs/common';
import { PreparedReads } from '@vitrine/database';
import type { Author } from '../author.presenter';
import { avatarJoin, avatarJson } from '../author.repository';

/** What an account's row tells others. */
export interface ProfileRow extends Author {
  readonly id: number;
  readonly bio: string | null;
  readonly createdAt: Date;
  readonly followerCount: number;
  readonly followingCount: number;
}

/** The read model of accounts as others see them. */
@Injectable()
export class ProfileRepository {
  constructor(private readonly reads: PreparedReads) {}

  /** The living account of this name, ignoring case; only an approved avatar is shown. */
  async findByUsername(username: string): Promise<ProfileRow | null> {
    const [row] = await this.reads.query<ProfileRow>(
      `select u.id, u.username, u.bio, u.created_at as "createdAt", u.follower_count as "followerCount",
              u.following_count as "followingCount", ${avatarJson('a')} as avatar
       from users u
       ${avatarJoin('u', 'a')}
       where lower(u.username) = lower($1) and u.deleted_at is null and u.kind = 'member'`,
      [username],
    );
    return row ?? null;
  }
}
