import { Injectable } from '@nestjs/common';
import type { Transaction } from '@vitrine/database';
import { InvalidFieldsError } from '../../base/errors/domain-error';
import { type AccountLink, AccountLinkRepository } from './account-link.repository';
import { isLinkCode, linkCodeHash } from './link.rules';
import type { LinkPurpose } from './mail.types';

/** The same error for unknown, expired and used links. */
export const invalidLink = () =>
  new InvalidFieldsError({ code: ['This link is invalid, has expired or was used already.'] });

/** The use of single-use links. */
@Injectable()
export class AccountLinks {
  constructor(private readonly repository: AccountLinkRepository) {}

  /** A valid link. Throws `InvalidFieldsError` on `code`. */
  async find(purpose: LinkPurpose, code: string): Promise<AccountLink> {
    const link = isLinkCode(code) ? await this.repository.find(purpose, linkCodeHash(code)) : null;
    if (!link) throw invalidLink();
    return link;
  }

  /**
   * Uses a link up, within a transaction that has locked the account, and makes the others with the same purpose
   * invalid. Throws `InvalidFieldsError` on `code` if it is no longer valid.
   */
  async use(tx: Transaction, purpose: LinkPurpose, code: string, { userId }: AccountLink): Promise<void> {
    if (!(await this.repository.use(tx, purpose, linkCodeHash(code)))) throw invalidLink();
    await this.repository.removeOf(tx, userId, [purpose]);
  }
}
