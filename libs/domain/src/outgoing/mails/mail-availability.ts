import { Injectable } from '@nestjs/common';
import { NoMailError } from '../../base/errors/domain-error';
import { MailConfig } from './mail.config';

/** Whether this site sends mails. */
@Injectable()
export class MailAvailability {
  constructor(private readonly config: MailConfig) {}

  get sendsMail(): boolean {
    return this.config.smtpUrl !== '';
  }

  /** Throws `NoMailError` if this site sends no mails. */
  assertSendsMail(): void {
    if (!this.sendsMail) throw new NoMailError();
  }
}
