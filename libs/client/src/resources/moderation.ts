import { Listing, type ListingOf } from '../lists/listing';
import type { AnswerOf, BodyOf, CallOptions, QueryOf, Transport } from '../transport/transport';
import type { BannedHash } from '../api/types';

/** Moderation. Requires the role of a moderator or an admin. */
export class Moderation {
  /** The moderation queue. The item that has waited longest comes first. */
  readonly queue: ListingOf<'listModerationQueue'>;
  /** The log of decisions, newest first. */
  readonly decisions: ListingOf<'listDecisions'>;
  /** Applications for accounts, oldest first. */
  readonly applications: ListingOf<'listApplications'>;
  readonly hashes: BannedHashes;

  constructor(private readonly transport: Transport) {
    this.queue = new Listing((query, options) => transport.call('listModerationQueue', { query }, options));
    this.decisions = new Listing((query, options) => transport.call('listDecisions', { query }, options));
    this.applications = new Listing((query, options) =>
      transport.call('listApplications', { query }, options),
    );
    this.hashes = new BannedHashes(transport);
  }

  /**
   * Rules on a media item. The result's `banned_hashes` are the hashes that this ruling banned; `hashes.unban` undoes
   * that.
   */
  ruleOnMedia(
    slug: string,
    body: BodyOf<'ruleOnMedia'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'ruleOnMedia'>> {
    return this.transport.call('ruleOnMedia', { path: { slug }, body }, options);
  }

  /**
   * Rules on a post, like `ruleOnMedia`. `body.revision` is the revision that the moderator has read. Throws a
   * `VitrineError` with the code `conflict` if the post has changed since then.
   */
  ruleOnPost(
    post: string | number,
    body: BodyOf<'ruleOnPost'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'ruleOnPost'>> {
    return this.transport.call('ruleOnPost', { path: { post }, body }, options);
  }

  /** The state of an account. Also works for a suspended account, which has no profile. */
  async getUser(username: string, options?: CallOptions): Promise<AnswerOf<'getModeratedUser'>['data']> {
    return (await this.transport.call('getModeratedUser', { path: { username } }, options)).data;
  }

  /** Limits, suspends or restores an account. Only staff with a higher role than the account's may do this. */
  async ruleOnUser(
    username: string,
    body: BodyOf<'ruleOnUser'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'ruleOnUser'>['user']> {
    return (await this.transport.call('ruleOnUser', { path: { username }, body }, options)).user;
  }

  /** Accepts or declines an application for an account. */
  async decideApplication(
    username: string,
    body: BodyOf<'decideApplication'>,
    options?: CallOptions,
  ): Promise<void> {
    await this.transport.call('decideApplication', { path: { username }, body }, options);
  }

  /** Closes all reports on an item without changing the item. */
  async dismissReports(
    type: BodyOf<'createReport'>['type'],
    target: string | number,
    options?: CallOptions,
  ): Promise<void> {
    await this.transport.call('dismissReports', { path: { type, target } }, options);
  }
}

/** Banned hashes of files and pictures. */
export class BannedHashes extends Listing<AnswerOf<'listBannedHashes'>, QueryOf<'listBannedHashes'>> {
  constructor(private readonly transport: Transport) {
    super((query, options) => transport.call('listBannedHashes', { query }, options));
  }

  async ban(body: BodyOf<'banHash'>, options?: CallOptions): Promise<BannedHash> {
    return (await this.transport.call('banHash', { body }, options)).banned_hash;
  }

  async get(id: number, options?: CallOptions): Promise<BannedHash> {
    return (await this.transport.call('getBannedHash', { path: { id } }, options)).data;
  }

  async unban(id: number, options?: CallOptions): Promise<void> {
    await this.transport.call('unbanHash', { path: { id } }, options);
  }
}
