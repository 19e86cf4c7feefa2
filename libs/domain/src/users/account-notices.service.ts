import { Injectable } from '@nestjs/common';
import type { Transaction } from '@vitrine/database';
import { NotificationsService } from '../notifications/notifications.service';
import { type AccountNotice, noticeText } from './account-notice.rules';

/** Tells people what has happened to their accounts, so that they notice what they didn't do themselves. */
@Injectable()
export class AccountNotices {
  constructor(private readonly notifications: NotificationsService) {}

  /** Adds a notice within the transaction of its cause. To be called after every other lock is taken. */
  async add(tx: Transaction, userId: number, notice: AccountNotice): Promise<void> {
    await this.notifications.add(tx, {
      userId,
      kind: 'account',
      actorId: null,
      detail: { message: noticeText(notice) },
    });
  }
}
