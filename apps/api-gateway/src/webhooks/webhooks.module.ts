import { Module } from '@nestjs/common';
import { WebhookDeliverer, WebhooksModule as DomainWebhooksModule } from '@vitrine/domain';
import { provideHourlySweep } from '@vitrine/runtime';
import { WebhookDeliveriesController } from './webhook-deliveries.controller';
import { WebhookDelivery } from './webhook-delivery';
import { WebhooksController } from './webhooks.controller';

@Module({
  imports: [DomainWebhooksModule],
  controllers: [WebhooksController, WebhookDeliveriesController],
  providers: [
    WebhookDelivery,
    provideHourlySweep('deliveries of webhooks', WebhookDeliverer, async (deliverer) => ({
      removed: await deliverer.removeOld(),
    })),
  ],
  exports: [WebhookDelivery],
})
export class WebhooksModule {}
