import { Listing, type ListingOf } from '../listing';
import type { AnswerOf, BodyOf, CallOptions, QueryOf, Transport } from '../transport';
import type { BannedHash } from '../types';

/** For moderators and admins. */
export class Moderation {
  /** What waits for a decision, oldest first. */
  readonly queue: ListingOf<'listModerationQueue'>;
  /** The log of decisions, newest first. */
  readonly decisions: ListingOf<'listDecisions'>;
  readonly hashes: BannedHashes;

  constructor(private readonly transport: Transport) {
    this.queue = new Listing((query, options) => transport.call('listModerationQueue', { query }, options));
    this.decisions = new Listing((query, options) => transport.call('listDecisions', { query }, options));
    this.hashes = new BannedHashes(transport);
  }

  /** The answer's `banned_hashes` are what `hashes.unban` must lift to undo it. */
  ruleOnMedia(
    slug: string,
    body: BodyOf<'ruleOnMedia'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'ruleOnMedia'>> {
    return this.transport.call('ruleOnMedia', { path: { slug }, body }, options);
  }

  /**
   * As `ruleOnMedia`. Pass the `revision` of the post that was read; a `conflict` means that the post has changed since.
   */
  ruleOnPost(
    post: string | number,
    body: BodyOf<'ruleOnPost'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'ruleOnPost'>> {
    return this.transport.call('ruleOnPost', { path: { post }, body }, options);
  }

  /** Closes the reports of something and leaves it as it is. */
  async dismissReports(
    type: BodyOf<'createReport'>['type'],
    target: string | number,
    options?: CallOptions,
  ): Promise<void> {
    await this.transport.call('dismissReports', { path: { type, target } }, options);
  }
}

/** Files and pictures that must not be hosted. */
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
