import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  PageQuery,
  type PageResource,
  WebhookDeliveryQueuedResource,
  WebhookDeliveryResource,
} from '@vitrine/contracts/api';
import { type Caller, WebhooksService } from '@vitrine/domain';
import { presentWebhookDelivery } from './webhook.presenter';
import {
  API_PREFIX,
  Authenticated,
  CurrentAddress,
  CurrentCaller,
  IdempotentPost,
  IdPipe,
  presentPage,
  type RequestedAddress,
} from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';
import type { Response } from 'express';
import { Answers, AnswersData, AnswersPage } from '../openapi/answers';

@ApiTags('webhooks')
@Controller(`${API_PREFIX}/webhooks/:id`)
@Authenticated({ scope: 'write' })
export class WebhookDeliveriesController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @Get('deliveries')
  @ApiOperation({
    operationId: 'listWebhookDeliveries',
    summary: 'List the deliveries of a webhook',
    description: 'Finished deliveries are kept for 30 days, but not more than about 1,000 for each webhook.',
  })
  @AnswersPage(WebhookDeliveryResource, 'One page of deliveries, newest first.')
  async list(
    @CurrentCaller() caller: Caller,
    @Param('id', IdPipe) id: number,
    @Query() { page, limit }: PageQuery,
    @CurrentAddress() address: RequestedAddress,
  ): Promise<PageResource<WebhookDeliveryResource>> {
    const { deliveries, total } = await this.webhooks.findDeliveries(caller.userId, id, { page, limit });
    return presentPage(deliveries.map(presentWebhookDelivery), { page, limit, total }, address);
  }

  @Get('deliveries/:delivery')
  @ApiOperation({
    operationId: 'getWebhookDelivery',
    summary: 'Get a delivery of a webhook',
    description:
      'The event with its payload, and the status, the response and the error of the latest attempt.',
  })
  @AnswersData(WebhookDeliveryResource, 'The delivery.')
  async show(
    @CurrentCaller() caller: Caller,
    @Param('id', IdPipe) id: number,
    @Param('delivery', IdPipe) deliveryId: number,
  ): Promise<{ data: WebhookDeliveryResource }> {
    return {
      data: presentWebhookDelivery(await this.webhooks.findDelivery(caller.userId, id, deliveryId)),
    };
  }

  @IdempotentPost('test')
  @ApiOperation({
    operationId: 'testWebhook',
    summary: 'Send a test event',
    description: 'Sends the event `webhook.test`. A disabled webhook is an error (422).',
  })
  @Answers(201, WebhookDeliveryQueuedResource, 'The delivery is queued and sent within a second.')
  async test(
    @CurrentCaller() caller: Caller,
    @Param('id', IdPipe) id: number,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WebhookDeliveryQueuedResource> {
    const delivery = await this.webhooks.sendTest(caller.userId, id);
    response.set('Location', `${this.urls.api}/webhooks/${id}/deliveries/${delivery.id}`);
    return { message: 'Test event queued.', delivery: presentWebhookDelivery(delivery) };
  }

  @IdempotentPost('deliveries/:delivery/repeat')
  @ApiOperation({
    operationId: 'repeatWebhookDelivery',
    summary: 'Send a delivery again',
    description:
      'The delivery keeps its `webhook-id` and gets as many attempts as a new one. A disabled webhook is an error (422).',
  })
  @Answers(200, WebhookDeliveryQueuedResource, 'The delivery is queued and sent within a second.')
  async repeat(
    @CurrentCaller() caller: Caller,
    @Param('id', IdPipe) id: number,
    @Param('delivery', IdPipe) deliveryId: number,
  ): Promise<WebhookDeliveryQueuedResource> {
    const delivery = await this.webhooks.repeat(caller.userId, id, deliveryId);
    return { message: 'Delivery queued.', delivery: presentWebhookDelivery(delivery) };
  }
}
