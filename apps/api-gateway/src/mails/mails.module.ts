import { Module } from '@nestjs/common';
import { MailDeliveryModule, UsersModule } from '@vitrine/domain';
import { MailDelivery } from './mail-delivery';
import { OldMailsSweep } from './old-mails.sweep';

/** The sending of mails. */
@Module({
  imports: [MailDeliveryModule, UsersModule],
  providers: [MailDelivery, OldMailsSweep],
})
export class MailsModule {}
