import { Module } from '@nestjs/common';
import { WebhooksModule as DomainWebhooksModule } from '@vitrine/domain';
import { WebhookDeliveriesController } from './webhook-deliveries.controller';
import { WebhookDeliveriesSweep } from './webhook-deliveries.sweep';
import { WebhookDelivery } from './webhook-delivery';
import { WebhooksController } from './webhooks.controller';

@Module({
  imports: [DomainWebhooksModule],
  controllers: [WebhooksController, WebhookDeliveriesController],
  providers: [WebhookDelivery, WebhookDeliveriesSweep],
})
export class WebhooksModule {}
