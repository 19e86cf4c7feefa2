import { Injectable } from '@nestjs/common';
import { USERNAME_PATTERN } from '@vitrine/contracts';
import type { Transaction } from '@vitrine/database';
import { UnauthenticatedError } from '../errors/domain-error';
import type { Author } from './author.presenter';
import { AuthorRepository } from './author.repository';

/** Who made things, for everything that shows them. */
@Injectable()
export class AuthorsService {
  constructor(private readonly repository: AuthorRepository) {}

  /** The authors behind some user ids, nulls and doubles left out, by id. Guests, and who has deleted their account, are nobody. */
  findAuthors(userIds: readonly (number | null)[]): Promise<ReadonlyMap<number, Author>> {
    return this.repository.findAuthors([...new Set(userIds.filter((id) => id !== null))]);
  }

  /** The id of the living account of this name, ignoring case; null where there is none. Guests have no name. */
  async findUserId(username: string): Promise<number | null> {
    return USERNAME_PATTERN.test(username) ? this.repository.findUserId(username) : null;
  }

  /**
   * Keeps an account from being deleted until the caller's transaction ends, so that nothing of its making comes
   * after its erasure. Users' rows are the last to be locked. Throws `UnauthenticatedError` where it is deleted.
   */
  async holdLiving(tx: Transaction, userId: number): Promise<void> {
    if (!(await this.repository.holdLiving(tx, userId))) throw new UnauthenticatedError();
  }
}
