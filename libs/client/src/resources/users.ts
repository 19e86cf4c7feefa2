import { Listing, type ListingOf } from '../lists/listing';
import type { CallOptions, Transport } from '../transport/transport';
import type { User } from '../api/types';

/** Public profiles, their lists, and following. */
export class Users {
  constructor(private readonly transport: Transport) {}

  async get(username: string, options?: CallOptions): Promise<User> {
    return (await this.transport.call('getUser', { path: { username } }, options)).data;
  }

  /** People by a part of their username, or something like it. */
  search(q: string): ListingOf<'searchUsers'> {
    return new Listing((query, options) => {
      const search = query instanceof URLSearchParams ? query : { ...query, q };
      if (search instanceof URLSearchParams) search.set('q', q);
      return this.transport.call('searchUsers', { query: search }, options);
    });
  }

  /** `client.users.posts('ada').iterate()` */
  posts(username: string): ListingOf<'listUserPosts'> {
    return new Listing((query, options) =>
      this.transport.call('listUserPosts', { path: { username }, query }, options),
    );
  }

  media(username: string): ListingOf<'listUserMedia'> {
    return new Listing((query, options) =>
      this.transport.call('listUserMedia', { path: { username }, query }, options),
    );
  }

  comments(username: string): ListingOf<'listUserComments'> {
    return new Listing((query, options) =>
      this.transport.call('listUserComments', { path: { username }, query }, options),
    );
  }

  followers(username: string): ListingOf<'listFollowers'> {
    return new Listing((query, options) =>
      this.transport.call('listFollowers', { path: { username }, query }, options),
    );
  }

  following(username: string): ListingOf<'listFollowing'> {
    return new Listing((query, options) =>
      this.transport.call('listFollowing', { path: { username }, query }, options),
    );
  }

  /** Follows a user. Idempotent. */
  async follow(username: string, options?: CallOptions): Promise<void> {
    await this.transport.call('followUser', { path: { username } }, options);
  }

  /** Unfollows a user. Idempotent. */
  async unfollow(username: string, options?: CallOptions): Promise<void> {
    await this.transport.call('unfollowUser', { path: { username } }, options);
  }

  /** Blocks a user: neither of the two sees the other’s content or can contact the other. Idempotent. */
  async block(username: string, options?: CallOptions): Promise<void> {
    await this.transport.call('blockUser', { path: { username } }, options);
  }

  /** Unblocks a user. Idempotent. */
  async unblock(username: string, options?: CallOptions): Promise<void> {
    await this.transport.call('unblockUser', { path: { username } }, options);
  }

  /** Mutes a user: your lists leave out the user’s posts, media and comments. Idempotent. */
  async mute(username: string, options?: CallOptions): Promise<void> {
    await this.transport.call('muteUser', { path: { username } }, options);
  }

  /** Unmutes a user. Idempotent. */
  async unmute(username: string, options?: CallOptions): Promise<void> {
    await this.transport.call('unmuteUser', { path: { username } }, options);
  }
}
