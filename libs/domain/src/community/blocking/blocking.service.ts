import { Injectable } from '@nestjs/common';
import { type Transaction, Database } from '@vitrine/database';
import type { PageQuery } from '@vitrine/contracts/api';
import type { Caller } from '../../base/access/caller';
import type { Author } from '../../accounts/authors/author.types';
import { AuthorsService } from '../../accounts/authors/authors.service';
import { InvalidFieldsError, NotFoundError, UnauthenticatedError } from '../../base/errors/domain-error';
import { FollowsService } from '../follows/follows.service';
import { NotificationsService } from '../notifications/notifications.service';
import type { Relation, RelationKind } from '../relations/relation.repository';
import { RelationsService } from '../relations/relations.service';
import { FollowCountsService } from '../../accounts/users/follow-counts.service';

/** A blocked or muted user. */
export interface RelationView {
  readonly author: Author;
  readonly since: Date;
}

/** One page of the users whom an account blocks or mutes. */
export interface RelationPage {
  readonly people: readonly RelationView[];
  readonly total: number;
}

/** Blocking and muting of users. Usernames are read ignoring case. */
@Injectable()
export class BlockingService {
  constructor(
    private readonly database: Database,
    private readonly relations: RelationsService,
    private readonly authors: AuthorsService,
    private readonly follows: FollowsService,
    private readonly users: FollowCountsService,
    private readonly notifications: NotificationsService,
  ) {}

  /**
   * Blocks or mutes a user. Idempotent. Removes the notifications that the user has caused; a block also removes those that
   * the user has because of the caller, and ends the follows between both. Throws `NotFoundError`, and
   * `InvalidFieldsError` on `username` if it is the caller's own or the caller has reached the limit.
   */
  async add(kind: RelationKind, username: string, caller: Caller): Promise<void> {
    const relation = await this.read(kind, username, caller);
    await this.database.transaction(async (tx) => {
      await this.lockBoth(tx, relation);
      if (!(await this.relations.add(tx, kind, relation))) return;
      const { ownerId, otherId } = relation;
      await this.notifications.removeBetween(tx, ownerId, otherId);
      if (kind === 'mute') return;
      await this.notifications.removeBetween(tx, otherId, ownerId);
      await this.follows.endBetween(tx, ownerId, otherId);
    });
  }

  /** Ends a block or mute. Idempotent. Throws as `add` does. */
  async remove(kind: RelationKind, username: string, caller: Caller): Promise<void> {
    const relation = await this.read(kind, username, caller);
    await this.relations.remove(kind, relation);
  }

  /** One page of the users whom the caller blocks or mutes, the latest first. Deleted accounts are left out. */
  async findPage(kind: RelationKind, caller: Caller, { page, limit }: PageQuery): Promise<RelationPage> {
    const part = { limit, offset: (page - 1) * limit };
    const { entries, total } = await this.relations.findPage(kind, caller.userId, part);
    const authors = await this.authors.findAuthors(entries.map(({ userId }) => userId));
    const people = entries.flatMap(({ userId, since }) => {
      const author = authors.get(userId);
      return author ? [{ author, since }] : [];
    });
    return { people, total };
  }

  private async read(kind: RelationKind, username: string, caller: Caller): Promise<Relation> {
    const otherId = await this.authors.findUserId(username);
    if (otherId === null) throw new NotFoundError();
    if (otherId === caller.userId) {
      throw new InvalidFieldsError({ username: [`You cannot ${kind} yourself.`] });
    }
    return { ownerId: caller.userId, otherId };
  }

  /** So that no follow begins meanwhile, and no more than the limit are blocked. */
  private async lockBoth(tx: Transaction, { ownerId, otherId }: Relation): Promise<void> {
    const living = await this.users.lock(tx, [ownerId, otherId]);
    if (!living.has(ownerId)) throw new UnauthenticatedError();
    if (!living.has(otherId)) throw new NotFoundError();
  }
}
