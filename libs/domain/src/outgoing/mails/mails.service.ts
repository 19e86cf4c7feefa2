import { Injectable } from '@nestjs/common';
import { type Transaction } from '@vitrine/database';
import { AccountLinkRepository } from './account-link.repository';
import { LINK_MINUTES, linkCodeHash, mintLinkCode } from './link.rules';
import { type MailLimit, MailRepository } from './mail.repository';
import type { LinkPurpose, NewMail } from './mail.types';

/** Notices are still useful after this many minutes; links are requested again sooner than that. */
const SEND_WITHIN_MINUTES = { notice: 3 * 24 * 60, 'verify-email': 6 * 60, 'reset-password': 60 };
/** Limits of mails that other people or programs can cause. */
const LIMITS: readonly MailLimit[] = [
  { hours: 1, mails: 3, mailsOfPair: 2 },
  { hours: 24, mails: 10, mailsOfPair: 5 },
];
const PURPOSES: readonly LinkPurpose[] = ['verify-email', 'reset-password'];

/** A mail with a link. */
export interface LinkMail {
  readonly userId: number;
  readonly username: string;
  readonly address: string;
  readonly purpose: LinkPurpose;
}

/** A new link; its code is not stored. */
export interface MintedLink {
  readonly code: string;
  readonly expiresAt: Date;
}

/**
 * Mails, and the single-use links in them. Mails are requested in the transaction of their cause; api-gateway sends
 * them (`MailDeliverer`). Lock the account's row before anything here.
 */
@Injectable()
export class Mails {
  constructor(
    private readonly repository: MailRepository,
    private readonly links: AccountLinkRepository,
  ) {}

  /** Requests a notice. `text` has no secrets. */
  requestNotice(tx: Transaction, mail: Omit<NewMail, 'content'>, text: string): Promise<void> {
    return this.insertNotice(tx, mail, text, false);
  }

  /** As `requestNotice`, for notices that programs can cause often: does nothing if the account has had too many of them. */
  async requestLimitedNotice(
    tx: Transaction,
    mail: Omit<NewMail, 'content'> & { readonly userId: number },
    text: string,
  ): Promise<void> {
    if (await this.repository.isWithinLimits(tx, { ...mail, kind: 'notice' }, LIMITS))
      await this.insertNotice(tx, mail, text, true);
  }

  /** Requests a mail with a link. Returns false if the address or the account has had too many of them. */
  async requestLink(tx: Transaction, { purpose, ...mail }: LinkMail): Promise<boolean> {
    if (!(await this.repository.isWithinLimits(tx, { ...mail, kind: purpose }, LIMITS))) return false;
    await this.repository.insert(tx, { ...mail, content: { kind: purpose } }, SEND_WITHIN_MINUTES[purpose]);
    return true;
  }

  private insertNotice(
    tx: Transaction,
    mail: Omit<NewMail, 'content'>,
    text: string,
    isLimited: boolean,
  ): Promise<void> {
    const content = { kind: 'notice', text, isLimited } as const;
    return this.repository.insert(tx, { ...mail, content }, SEND_WITHIN_MINUTES.notice);
  }

  /** Makes a link without a mail. */
  async mintLink(
    tx: Transaction,
    {
      userId,
      purpose,
      address,
    }: Omit<LinkMail, 'username' | 'address'> & { readonly address: string | null },
  ): Promise<MintedLink> {
    const code = mintLinkCode();
    const codeSha256 = linkCodeHash(code);
    const minutes = LINK_MINUTES[purpose];
    return {
      code,
      expiresAt: await this.links.insert(tx, { userId, purpose, address, codeSha256, minutes }),
    };
  }

  /** The links that have been made become invalid, and waiting mails with such links are not sent. */
  async revokeLinks(tx: Transaction, userId: number, purpose: LinkPurpose): Promise<void> {
    await this.repository.removeWaiting(tx, userId, [purpose]);
    await this.links.removeOf(tx, userId, [purpose]);
  }

  /** Removes everything of a deleted account. */
  async forget(tx: Transaction, userId: number): Promise<void> {
    await this.repository.removeOf(tx, userId);
    await this.links.removeOf(tx, userId, PURPOSES);
  }
}
