import { Listing, type ListingOf } from '../lists/listing';
import type { AnswerOf, BodyOf, CallOptions, Transport } from '../transport/transport';

/**
 * Administration. Requires the session of an admin. Methods that give control over an account, or delete it, also
 * require the admin's `current_password` or `code`.
 */
export class Admin {
  /** What staff did, newest first. */
  readonly auditLog: ListingOf<'listAuditLog'>;
  /** Accounts, newest first. */
  readonly people: ListingOf<'listPeople'>;

  constructor(private readonly transport: Transport) {
    this.auditLog = new Listing((query, options) => transport.call('listAuditLog', { query }, options));
    this.people = new Listing((query, options) => transport.call('listPeople', { query }, options));
  }

  async getPerson(username: string, options?: CallOptions): Promise<AnswerOf<'getPerson'>['data']> {
    return (await this.transport.call('getPerson', { path: { username } }, options)).data;
  }

  async changeRole(
    username: string,
    body: BodyOf<'changeRole'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'changeRole'>['user']> {
    return (await this.transport.call('changeRole', { path: { username }, body }, options)).user;
  }

  /** Changes the quota of an account. Omitted fields stay unchanged; null restores the default of the site. */
  async changeQuota(
    username: string,
    body: BodyOf<'changeAccountQuota'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'changeAccountQuota'>['quota']> {
    return (await this.transport.call('changeAccountQuota', { path: { username }, body }, options)).quota;
  }

  /** Deletes an account. `body.username` must be its name. */
  async deletePerson(username: string, body: BodyOf<'deletePerson'>, options?: CallOptions): Promise<void> {
    await this.transport.call('deletePerson', { path: { username }, body }, options);
  }

  /** The settings in effect, without secrets. */
  async settings(options?: CallOptions): Promise<AnswerOf<'listSettings'>['data']> {
    return (await this.transport.call('listSettings', {}, options)).data;
  }

  /** The use of the storage, its growth by day, and the largest accounts. */
  async storage(options?: CallOptions): Promise<AnswerOf<'getStorage'>['data']> {
    return (await this.transport.call('getStorage', {}, options)).data;
  }

  /** Queues with dead letters, media that wait and media that failed. */
  async work(options?: CallOptions): Promise<AnswerOf<'getWork'>['data']> {
    return (await this.transport.call('getWork', {}, options)).data;
  }

  /** Requests that one dead letter of a queue, or all of them, are tried again. This happens within about ten seconds. */
  async replayDeadLetters(body: BodyOf<'replayDeadLetters'>, options?: CallOptions): Promise<void> {
    await this.transport.call('replayDeadLetters', { body }, options);
  }

  /** Creates a link with which the password of an account can be set once, within 30 minutes. */
  async createResetLink(
    username: string,
    body: BodyOf<'createResetLink'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'createResetLink'>> {
    return this.transport.call('createResetLink', { path: { username }, body }, options);
  }

  async removeSecondFactorsOf(
    username: string,
    body: BodyOf<'removeSecondFactorsOf'>,
    options?: CallOptions,
  ): Promise<void> {
    await this.transport.call('removeSecondFactorsOf', { path: { username }, body }, options);
  }

  async sessionsOf(username: string, options?: CallOptions): Promise<AnswerOf<'listSessionsOf'>['data']> {
    return (await this.transport.call('listSessionsOf', { path: { username } }, options)).data;
  }

  async endSessionOf(username: string, id: number, options?: CallOptions): Promise<void> {
    await this.transport.call('endSessionOf', { path: { username, id } }, options);
  }

  async endSessionsOf(username: string, options?: CallOptions): Promise<void> {
    await this.transport.call('endSessionsOf', { path: { username } }, options);
  }

  async tokensOf(username: string, options?: CallOptions): Promise<AnswerOf<'listTokensOf'>['data']> {
    return (await this.transport.call('listTokensOf', { path: { username } }, options)).data;
  }

  async revokeTokenOf(username: string, id: number, options?: CallOptions): Promise<void> {
    await this.transport.call('revokeTokenOf', { path: { username, id } }, options);
  }
}
