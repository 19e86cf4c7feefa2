import { setMaxListeners } from 'node:events';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { type Transaction, Database } from '@vitrine/database';
import { errorMessage, PublicUrlsConfig } from '@vitrine/runtime';
import { AuthorsService } from '../../accounts/authors/authors.service';
import { DomainError } from '../../base/errors/domain-error';
import { AccountLinkRepository } from './account-link.repository';
import { linkUrl } from './link.rules';
import { MailMetrics } from './mail-metrics';
import { waitAfterAttempt } from './mail-retry.rules';
import { MailSender } from './mail-sender';
import { type MailText, mailText } from './mail-text.rules';
import { MailConfig } from './mail.config';
import { MailRepository } from './mail.repository';
import type { ClaimedMail, MailOutcome } from './mail.types';
import { Mails } from './mails.service';

/** Mails that one process sends at the same time. */
const AT_ONCE = 8;
/** If a process has not recorded an attempt after this multiple of its time limit, it has died. */
const LEASE_FACTOR = 3;
const SENT_DAYS = 7;
const FAILED_DAYS = 30;

/** The mail was withdrawn, or another process has it. */
class NoLongerOursError extends Error {}

/**
 * Sends due mails. A mail is taken in a short transaction that makes it due again after the lease. Its hand-over is
 * recorded before the server can accept it, so that no mail is sent twice: see ADR 39. Any number of processes may
 * deliver.
 */
@Injectable()
export class MailDeliverer implements BeforeApplicationShutdown {
  private readonly logger = new Logger(MailDeliverer.name);
  private readonly stop = new AbortController();

  constructor(
    private readonly database: Database,
    private readonly repository: MailRepository,
    private readonly links: AccountLinkRepository,
    private readonly mails: Mails,
    private readonly authors: AuthorsService,
    private readonly sender: MailSender,
    private readonly metrics: MailMetrics,
    private readonly config: MailConfig,
    private readonly urls: PublicUrlsConfig,
  ) {
    setMaxListeners(0, this.stop.signal);
  }

  /** Sends the due mails, while `mayContinue` returns true. Returns how many were taken. */
  async deliverDue(mayContinue: () => boolean): Promise<number> {
    const { unknown, late } = await this.database.transaction((tx) => this.repository.giveUpLost(tx));
    this.metrics.attempts.inc({ outcome: 'unknown' }, unknown);
    this.metrics.attempts.inc({ outcome: 'failed' }, late);
    let taken = 0;
    for (let claimed = AT_ONCE; claimed === AT_ONCE && mayContinue();) {
      const lease = LEASE_FACTOR * this.config.timeoutSeconds;
      const mails = await this.database.transaction((tx) => this.repository.claim(tx, AT_ONCE, lease));
      await Promise.all(mails.map((mail) => this.attemptSafely(mail)));
      claimed = mails.length;
      taken += claimed;
    }
    this.metrics.oldestDue.set(await this.repository.findOldestDue());
    return taken;
  }

  /** Removes finished mails and expired links that are old; returns how many mails. */
  removeOld(): Promise<number> {
    return this.database.transaction(async (tx) => {
      await this.links.removeExpired(tx);
      return this.repository.removeOld(tx, SENT_DAYS, FAILED_DAYS);
    });
  }

  /** Ends attempts in progress, except those whose mail has been handed over. */
  beforeApplicationShutdown(): void {
    this.stop.abort();
  }

  private async attemptSafely(mail: ClaimedMail): Promise<void> {
    try {
      const content = await this.write(mail);
      await this.record(mail, await this.send(mail, content));
    } catch (error) {
      if (error instanceof NoLongerOursError) return;
      this.logger.warn(`Mail ${mail.id} could not be prepared or recorded: ${errorMessage(error)}`);
    }
  }

  /** The text of a mail, with a new link if it has one. */
  private async write(mail: ClaimedMail): Promise<MailText> {
    const { kind, userId, address } = mail;
    if (kind === 'notice' || userId === null || !this.sends) return mailText(mail, this.urls.site, null);
    const { code } = await this.database.transaction(async (tx) => {
      await this.holdAccount(tx, userId);
      if (!(await this.repository.hold(tx, mail))) throw new NoLongerOursError();
      const linked = kind === 'verify-email' ? address : null;
      return this.mails.mintLink(tx, { userId, purpose: kind, address: linked });
    });
    return mailText(mail, this.urls.site, linkUrl(this.urls.site, kind, code));
  }

  /** Before the mail's row, as all who change an account do. */
  private async holdAccount(tx: Transaction, userId: number): Promise<void> {
    try {
      await this.authors.holdLiving(tx, userId);
    } catch (error) {
      throw error instanceof DomainError ? new NoLongerOursError() : error;
    }
  }

  private get sends(): boolean {
    return this.sender.isOn || this.config.toLog;
  }

  private async send(mail: ClaimedMail, content: MailText): Promise<MailOutcome | 'skipped'> {
    const handOver = () =>
      this.database.transaction(async (tx) => {
        if (!(await this.repository.hold(tx, mail))) throw new NoLongerOursError();
        await this.repository.markHandedOver(tx, mail.id);
      });
    if (this.sender.isOn) return this.sender.send({ mail, content, handOver }, this.stop.signal);
    if (!this.config.toLog) return 'skipped';
    await handOver();
    this.logger.log(`Mail to ${mail.address}: ${content.subject}\n${content.text}`);
    return { result: 'sent' };
  }

  private async record(mail: ClaimedMail, outcome: MailOutcome | 'skipped'): Promise<void> {
    const { id, kind, attempt } = mail;
    if (outcome === 'skipped') {
      this.logger.warn(`Mail ${id} (${kind}) was not sent, because SMTP_URL is not set.`);
      await this.finish(mail, 'failed', 'SMTP_URL is not set.');
      this.metrics.attempts.inc({ outcome: 'skipped' });
      return;
    }
    switch (outcome.result) {
      case 'sent':
        await this.finish(mail, 'sent', null);
        break;
      case 'refused':
        this.logger.warn(`Mail ${id} (${kind}) was refused: ${outcome.error}`);
        await this.finish(mail, 'failed', outcome.error);
        break;
      case 'unknown':
        this.logger.warn(`Mail ${id} (${kind}) may have been sent, and is not sent again: ${outcome.error}`);
        await this.finish(mail, 'unknown', outcome.error);
        break;
      case 'retry': {
        this.logger.warn(`Mail ${id} (${kind}) was not sent and will be tried again: ${outcome.error}`);
        const wait = this.stop.signal.aborted ? 0 : waitAfterAttempt(attempt, Math.random());
        await this.database.transaction((tx) => this.repository.postpone(tx, mail, outcome.error, wait));
      }
    }
    this.metrics.attempts.inc({ outcome: OUTCOMES[outcome.result] });
  }

  private finish(
    mail: ClaimedMail,
    status: 'sent' | 'failed' | 'unknown',
    error: string | null,
  ): Promise<void> {
    return this.database.transaction((tx) => this.repository.finish(tx, mail, status, error));
  }
}

const OUTCOMES = { sent: 'sent', retry: 'retried', refused: 'failed', unknown: 'unknown' } as const;
