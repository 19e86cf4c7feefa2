import { Module } from '@nestjs/common';
import {
  WebhookDeliverer,
  WebhookEditing,
  WebhookEditingModule,
  WebhooksModule as DomainWebhooksModule,
} from '@vitrine/domain';
import { provideSweep } from '@vitrine/runtime';
import { WebhookDeliveriesController } from './webhook-deliveries.controller';
import { WebhookDelivery } from './webhook-delivery';
import { WebhooksController } from './webhooks.controller';

@Module({
  imports: [DomainWebhooksModule, WebhookEditingModule],
  controllers: [WebhooksController, WebhookDeliveriesController],
  providers: [
    WebhookDelivery,
    provideSweep('deliveries of webhooks', WebhookDeliverer, async (deliverer) => ({
      removed: await deliverer.removeOld(),
    })),
    provideSweep('webhooks of expired tokens', WebhookEditing, async (webhooks) => ({
      disabled: await webhooks.disableOfExpiredTokens(),
    })),
  ],
  exports: [WebhookDelivery],
})
export class WebhooksModule {}
