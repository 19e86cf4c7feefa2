import { Module } from '@nestjs/common';
import { AccountLinkRepository } from './account-link.repository';
import { AccountLinks } from './account-links.service';
import { MailRepository } from './mail.repository';
import { Mails } from './mails.service';

/** Requests for mails, and the single-use links. */
@Module({
  providers: [AccountLinkRepository, AccountLinks, MailRepository, Mails],
  exports: [AccountLinkRepository, AccountLinks, MailRepository, Mails],
})
export class MailsModule {}
