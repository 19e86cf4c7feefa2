import { Injectable } from '@nestjs/common';
import { Database } from '@vitrine/database';
import { avatarJoin, avatarJson, visibleMember } from '../../base/queries/member-sql';
import type { Author } from '../authors/author.types';

/** The columns of a user that others see. */
export interface ProfileRow extends Author {
  readonly id: number;
  readonly bio: string | null;
  readonly createdAt: Date;
  readonly followerCount: number;
  readonly followingCount: number;
}

/** Reads users as others see them. */
@Injectable()
export class ProfileRepository {
  constructor(private readonly database: Database) {}

  /** The active member with this username, ignoring case, unless it is suspended; only an approved avatar is shown. */
  async findByUsername(username: string): Promise<ProfileRow | null> {
    const [row] = await this.database.read<ProfileRow>(
      `select u.id, u.username, u.bio, u.created_at as "createdAt", u.follower_count as "followerCount",
              u.following_count as "followingCount", ${avatarJson('a')} as avatar
       from users u
       ${avatarJoin('u', 'a')}
       where lower(u.username) = lower($1) and ${visibleMember('u')}`,
      [username],
    );
    return row ?? null;
  }
}
