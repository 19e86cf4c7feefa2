import { Module } from '@nestjs/common';
import { provideConfig } from '@vitrine/runtime';
import { OutgoingModule } from '../requests/outgoing.module';
import { AuthorsModule } from '../../accounts/authors/authors.module';
import { WebhookDeliverer } from './webhook-deliverer';
import { WebhookDeliveryRepository } from './webhook-delivery.repository';
import { WebhookMetrics } from './webhook-metrics';
import { WebhookSender } from './webhook-sender';
import { WebhookRepository } from './webhook.repository';
import { WebhooksConfig } from './webhooks.config';
import { WebhooksService } from './webhooks.service';

/** Webhooks and their deliveries. */
@Module({
  imports: [AuthorsModule, OutgoingModule],
  providers: [
    provideConfig(WebhooksConfig),
    WebhookDeliverer,
    WebhookDeliveryRepository,
    WebhookMetrics,
    WebhookRepository,
    WebhookSender,
    WebhooksService,
  ],
  exports: [WebhookDeliverer, WebhooksService],
})
export class WebhooksModule {}
