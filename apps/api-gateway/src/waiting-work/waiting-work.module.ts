import { Module } from '@nestjs/common';
import { WaitingWorkModule as DomainWaitingWorkModule } from '@vitrine/domain';
import { FeedSweepsModule } from '../feed-sweeps/feed-sweeps.module';
import { MailsModule } from '../mails/mails.module';
import { NotificationsModule } from '../notifications/notifications.module';
import { QuotasModule } from '../quotas/quotas.module';
import { WebhooksModule } from '../webhooks/webhooks.module';
import { WaitingWorkSweep } from './waiting-work.sweep';

/** Wakes the sweeps that have work. */
@Module({
  imports: [
    DomainWaitingWorkModule,
    FeedSweepsModule,
    MailsModule,
    NotificationsModule,
    QuotasModule,
    WebhooksModule,
  ],
  providers: [WaitingWorkSweep],
})
export class WaitingWorkModule {}
