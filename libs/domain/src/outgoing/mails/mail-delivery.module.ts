import { Module } from '@nestjs/common';
import { provideConfig, PublicUrlsModule } from '@vitrine/runtime';
import { AuthorsModule } from '../../accounts/authors/authors.module';
import { MailAvailability } from './mail-availability';
import { MailDeliverer } from './mail-deliverer';
import { MailMetrics } from './mail-metrics';
import { MailSender } from './mail-sender';
import { MailConfig } from './mail.config';
import { MailsModule } from './mails.module';

/** The sending of mails, for the process that has the settings of the mail server. */
@Module({
  imports: [AuthorsModule, MailsModule, PublicUrlsModule],
  providers: [provideConfig(MailConfig), MailAvailability, MailDeliverer, MailMetrics, MailSender],
  exports: [MailAvailability, MailDeliverer],
})
export class MailDeliveryModule {}
