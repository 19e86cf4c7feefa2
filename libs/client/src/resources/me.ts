import { Listing, type ListingOf } from '../lists/listing';
import type { AnswerOf, BodyOf, CallOptions, Transport } from '../transport/transport';
import type { Account, CurrentToken } from '../api/types';

/** The caller's own account. */
export class Me {
  /** The users whom the caller blocks: `client.me.blocks.iterate()` */
  readonly blocks: ListingOf<'listBlocks'>;
  /** The users whom the caller mutes. */
  readonly mutes: ListingOf<'listMutes'>;
  /** The caller's notifications, the latest first. */
  readonly notifications: ListingOf<'listNotifications'>;
  /** The posts of the people and tags that the caller follows. */
  readonly feed: ListingOf<'listFollowedPosts'>;
  /** The tags that the caller follows. */
  readonly followedTags: ListingOf<'listFollowedTags'>;

  /** The caller's own media, with filters that other lists don't have. */
  readonly media: ListingOf<'listOwnMedia'>;

  constructor(private readonly transport: Transport) {
    this.media = new Listing((query, options) => transport.call('listOwnMedia', { query }, options));
    this.blocks = new Listing((query, options) => transport.call('listBlocks', { query }, options));
    this.mutes = new Listing((query, options) => transport.call('listMutes', { query }, options));
    this.feed = new Listing((query, options) => transport.call('listFollowedPosts', { query }, options));
    this.followedTags = new Listing((query, options) =>
      transport.call('listFollowedTags', { query }, options),
    );
    this.notifications = new Listing((query, options) =>
      transport.call('listNotifications', { query }, options),
    );
  }

  async get(options?: CallOptions): Promise<Account> {
    return (await this.transport.call('getMe', {}, options)).data;
  }

  /** The account, the client's own token and the number of unread notifications, in one request. */
  overview(options?: CallOptions): Promise<AnswerOf<'getMe'>> {
    return this.transport.call('getMe', {}, options);
  }

  /** Changes or deletes up to 100 media of the caller. Returns the result for each, in order. */
  async changeMedia(
    body: BodyOf<'changeOwnMedia'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'changeOwnMedia'>['data']> {
    return (await this.transport.call('changeOwnMedia', { body }, options)).data;
  }

  /** Marks a notification as read. Idempotent. */
  async readNotification(notification: number, options?: CallOptions): Promise<void> {
    await this.transport.call('readNotification', { path: { notification } }, options);
  }

  /** Marks all notifications as read, or those with ids up to `upTo`. Idempotent. */
  async readNotifications({
    upTo,
    ...options
  }: CallOptions & { readonly upTo?: number } = {}): Promise<void> {
    const query = upTo === undefined ? {} : { up_to: upTo };
    await this.transport.call('readNotifications', { query }, options);
  }

  /** The kinds of notifications that the caller gets. */
  async notificationSettings(options?: CallOptions): Promise<AnswerOf<'getNotificationSettings'>['data']> {
    return (await this.transport.call('getNotificationSettings', {}, options)).data;
  }

  /** Changes the kinds of notifications that the caller gets. Omitted kinds stay unchanged. */
  async updateNotificationSettings(
    changes: BodyOf<'updateNotificationSettings'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'updateNotificationSettings'>['data']> {
    return (await this.transport.call('updateNotificationSettings', { body: changes }, options)).data;
  }

  /** Makes the caller the owner of what a guest has uploaded and posted, and ends the guest. Requires a session. */
  adoptGuest(guestToken: string, options?: CallOptions): Promise<AnswerOf<'adoptGuestUploads'>> {
    return this.transport.call('adoptGuestUploads', { body: { guest_token: guestToken } }, options);
  }

  /** The client's own token, with its scopes and when it expires. */
  async token(options?: CallOptions): Promise<CurrentToken> {
    return (await this.transport.call('getMe', {}, options)).token;
  }

  /** Updates the profile. Omitted fields stay unchanged; null clears a field. */
  async update(changes: BodyOf<'updateMe'>, options?: CallOptions): Promise<Account> {
    return (await this.transport.call('updateMe', { body: changes }, options)).data;
  }

  /** Sends the link to verify the email address again. Requires a session. */
  async sendEmailVerification(options?: CallOptions): Promise<void> {
    await this.transport.call('sendEmailVerification', {}, options);
  }

  /** Changes the password and ends all other sessions. Requires a session. */
  async changePassword(body: BodyOf<'changePassword'>, options?: CallOptions): Promise<void> {
    await this.transport.call('changePassword', { body }, options);
  }

  /** The identity providers with which the caller can log in. Requires a session. */
  async identities(options?: CallOptions): Promise<AnswerOf<'listIdentities'>['data']> {
    return (await this.transport.call('listIdentities', {}, options)).data;
  }

  /** Begins to link an identity provider. Requires a session. */
  linkProvider(body: BodyOf<'linkProvider'>, options?: CallOptions): Promise<AnswerOf<'linkProvider'>> {
    return this.transport.call('linkProvider', { body }, options);
  }

  /** Unlinks an identity provider. Requires a session. */
  async unlinkProvider(id: number, body: BodyOf<'unlinkProvider'>, options?: CallOptions): Promise<void> {
    await this.transport.call('unlinkProvider', { path: { id }, body }, options);
  }

  /** Deletes the account and all of its content. This cannot be undone. Requires a session. */
  async delete(body: BodyOf<'deleteMe'>, options?: CallOptions): Promise<void> {
    await this.transport.call('deleteMe', { body }, options);
  }
}
