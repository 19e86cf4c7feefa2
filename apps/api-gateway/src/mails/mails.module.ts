import { Module } from '@nestjs/common';
import { MailDeliverer, MailDeliveryModule, PasswordsModule } from '@vitrine/domain';
import { provideSweep } from '@vitrine/runtime';
import { MailDelivery } from './mail-delivery';

/** The sending of mails. */
@Module({
  imports: [MailDeliveryModule, PasswordsModule],
  providers: [
    MailDelivery,
    // Old mails and expired links.
    provideSweep('old mails', MailDeliverer, async (mails) => ({ removed: await mails.removeOld() })),
  ],
  exports: [MailDelivery],
})
export class MailsModule {}
