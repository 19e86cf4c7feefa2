import { Injectable } from '@nestjs/common';
import type { Transaction } from '@vitrine/database';
import { Mails } from '../../outgoing/mails/mails.service';
import { NotificationsService } from '../../community/notifications/notifications.service';
import { type AccountNotice, isFrequent, noticeText } from './account-notice.rules';
import { EmailRepository } from './email.repository';

/**
 * Tells people what has happened to their accounts, so that they notice what they didn't do themselves: in the site,
 * and by mail if they have a verified address.
 */
@Injectable()
export class AccountNotices {
  constructor(
    private readonly notifications: NotificationsService,
    private readonly emails: EmailRepository,
    private readonly mails: Mails,
  ) {}

  /**
   * Adds a notice within the transaction of its cause. To be called after every other lock is taken. The mail goes to
   * `address` if it is given, because it is no longer the account's.
   */
  async add(tx: Transaction, userId: number, notice: AccountNotice, address?: string): Promise<void> {
    await this.notifications.add(tx, {
      userId,
      kind: 'account',
      actorId: null,
      detail: { message: noticeText(notice) },
    });
    await this.mail(tx, userId, notice, { address, accountStays: true });
  }

  /** Adds a notice of an account that the same transaction removes afterwards: only by mail. */
  async addLast(tx: Transaction, userId: number, notice: AccountNotice): Promise<void> {
    await this.mail(tx, userId, notice, { accountStays: false });
  }

  /** Requests a mail with any text; returns false if the account has no verified address. */
  async mailText(tx: Transaction, userId: number, text: string): Promise<boolean> {
    const contact = await this.emails.find(tx, userId);
    if (!contact?.verifiedEmail) return false;
    const mail = { userId, username: contact.username, address: contact.verifiedEmail };
    await this.mails.requestNotice(tx, mail, text);
    return true;
  }

  private async mail(
    tx: Transaction,
    userId: number,
    notice: AccountNotice,
    { address, accountStays }: { readonly address?: string | undefined; readonly accountStays: boolean },
  ): Promise<void> {
    const contact = await this.emails.find(tx, userId);
    const to = address ?? contact?.verifiedEmail;
    if (!contact || !to) return;
    const mail = { username: contact.username, address: to };
    if (isFrequent(notice))
      await this.mails.requestLimitedNotice(tx, { ...mail, userId }, noticeText(notice));
    else
      await this.mails.requestNotice(
        tx,
        { ...mail, userId: accountStays ? userId : null },
        noticeText(notice),
      );
  }
}
