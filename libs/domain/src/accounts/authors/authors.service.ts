import { Injectable } from '@nestjs/common';
import { USERNAME_PATTERN } from '@vitrine/contracts';
import type { Transaction } from '@vitrine/database';
import { UnauthenticatedError } from '../../base/errors/domain-error';
import type { Author } from './author.types';
import { AuthorRepository } from './author.repository';

/** Authors, for everything that shows them. */
@Injectable()
export class AuthorsService {
  constructor(private readonly repository: AuthorRepository) {}

  /**
   * The authors with these user ids, by id. Guests and deleted accounts are left out. Null and repeated ids are
   * allowed.
   */
  findAuthors(userIds: readonly (number | null)[]): Promise<ReadonlyMap<number, Author>> {
    return this.repository.findAuthors([...new Set(userIds.filter((id) => id !== null))]);
  }

  /** As `findAuthors`, without suspended accounts. */
  findVisibleAuthors(userIds: readonly number[]): Promise<ReadonlyMap<number, Author>> {
    return this.repository.findAuthors(userIds, true);
  }

  /** The id of the active member with this username, ignoring case; null if there is none, or it is suspended. */
  async findUserId(username: string): Promise<number | null> {
    return USERNAME_PATTERN.test(username) ? this.repository.findUserId(username) : null;
  }

  /** The ids of the members with these usernames, which are in lower case; others are left out. */
  async findUserIds(usernames: readonly string[]): Promise<readonly number[]> {
    return usernames.length === 0 ? [] : this.repository.findUserIds(usernames);
  }

  /**
   * Prevents an account's deletion until the caller's transaction ends, so that the account makes nothing after its
   * erasure. Rows of users are locked last. Returns the author; null if the account is a guest. Throws
   * `UnauthenticatedError` if the account is deleted.
   */
  async holdLiving(tx: Transaction, userId: number): Promise<Author | null> {
    const author = (await this.holdAllLiving(tx, [userId])).get(userId);
    if (author === undefined) throw new UnauthenticatedError();
    return author;
  }

  /** As `holdLiving`, for some accounts; those that are deleted are left out. */
  holdAllLiving(tx: Transaction, userIds: readonly number[]): Promise<ReadonlyMap<number, Author | null>> {
    return this.repository.holdLiving(tx, userIds);
  }
}
