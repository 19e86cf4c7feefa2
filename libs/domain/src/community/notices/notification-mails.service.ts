import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@vitrine/database';
import { AccountNotices } from '../../accounts/users/account-notices.service';
import { MailAvailability } from '../../outgoing/mails/mail-availability';
import { NotificationsService } from '../notifications/notifications.service';
import { summaryOf } from './notification-mail.rules';

/** The number of accounts that one transaction looks at. */
const BATCH = 50;
/** The number of notifications that a mail names one by one. */
const NAMED = 10;

/** Sends unread notifications by mail to those who want that, at most as often as they have chosen. */
@Injectable()
export class NotificationMails {
  constructor(
    private readonly database: Database,
    private readonly notifications: NotificationsService,
    private readonly notices: AccountNotices,
    private readonly availability: MailAvailability,
  ) {}

  /** Requests the mails that are due while `mayContinue` returns true; returns their number. */
  async runDue(mayContinue: () => boolean): Promise<number> {
    if (!this.availability.sendsMail) return 0;
    let requested = 0;
    let found = BATCH;
    while (found === BATCH && mayContinue()) {
      found = await this.database.transaction(async (tx) => {
        const due = await this.notifications.takeMailDue(tx, BATCH);
        for (const { userId } of due) requested += await this.request(tx, userId);
        return due.length;
      });
    }
    return requested;
  }

  private async request(tx: Transaction, userId: number): Promise<number> {
    const news = await this.notifications.findForMail(tx, userId, NAMED);
    const [latest] = news;
    if (!latest) return 0;
    await this.notifications.recordMail(tx, userId, latest.id);
    return (await this.notices.mailText(tx, userId, summaryOf(news))) ? 1 : 0;
  }
}
