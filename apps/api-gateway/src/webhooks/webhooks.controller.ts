import { Body, Controller, Delete, Get, Param, Patch, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  CreateWebhookRequest,
  MessageResource,
  NewWebhookResource,
  UpdateWebhookRequest,
  WebhookResource,
  WebhookUpdatedResource,
} from '@vitrine/contracts/api';
import { type Caller, WebhookEditing, WebhooksService } from '@vitrine/domain';
import { presentWebhook } from './webhook.presenter';
import { API_PREFIX, Authenticated, CurrentCaller, IdempotentPost, IdPipe } from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';
import type { Response } from 'express';
import { Answers, AnswersData } from '../openapi/answers';

@ApiTags('webhooks')
@Controller(`${API_PREFIX}/webhooks`)
@Authenticated({ scope: 'write' })
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly editing: WebhookEditing,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listWebhooks',
    summary: 'List your webhooks',
    description:
      'All webhooks of the account. `active` says whether a webhook receives events, and `disabled_reason` why it does not.',
  })
  @AnswersData([WebhookResource], 'The webhooks, oldest first, without their secrets.')
  async list(@CurrentCaller() caller: Caller): Promise<{ data: WebhookResource[] }> {
    return { data: (await this.webhooks.list(caller.userId)).map(presentWebhook) };
  }

  @IdempotentPost()
  @ApiOperation({
    operationId: 'createWebhook',
    summary: 'Create a webhook',
    description:
      'From then on, events about your media and posts are sent to the address, signed as Standard Webhooks (standardwebhooks.com) describes it. An account can have at most 10 webhooks. A webhook that an API token created is disabled when that token is revoked or expires. The owner of the account is notified.',
  })
  @Answers(201, NewWebhookResource, 'The webhook is created. Its secret is shown only in this response.')
  async create(
    @CurrentCaller() caller: Caller,
    @Body() { url, events, description }: CreateWebhookRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<NewWebhookResource> {
    const { webhook, secret } = await this.editing.create(caller, { url, events, description });
    response.set('Location', `${this.urls.api}/webhooks/${webhook.id}`);
    return { message: 'Webhook created.', secret, webhook: presentWebhook(webhook) };
  }

  @Get(':id')
  @ApiOperation({
    operationId: 'getWebhook',
    summary: 'Get one of your webhooks',
    description:
      'Returns its address, its events and whether it is active. For a webhook of another account the response is 404.',
  })
  @AnswersData(WebhookResource, 'The webhook, without its secret.')
  async show(
    @CurrentCaller() caller: Caller,
    @Param('id', IdPipe) id: number,
  ): Promise<{ data: WebhookResource }> {
    return { data: presentWebhook(await this.webhooks.find(caller.userId, id)) };
  }

  @Patch(':id')
  @ApiOperation({
    operationId: 'updateWebhook',
    summary: 'Change, pause or enable a webhook',
    description:
      'Omitted fields stay unchanged. Deliveries that are pending when a webhook is paused are given up; they can be repeated. If an API token changes the address, enables a disabled webhook, or sends the address with `active: true`, the webhook is disabled when that token is revoked or expires. If a session does so, the webhook no longer depends on a token. The owner of the account is notified of a new address.',
  })
  @Answers(200, WebhookUpdatedResource, 'The webhook is changed.')
  async update(
    @CurrentCaller() caller: Caller,
    @Param('id', IdPipe) id: number,
    @Body() { url, events, description, active }: UpdateWebhookRequest,
  ): Promise<WebhookUpdatedResource> {
    const changes = { url, events, description, active };
    const webhook = await this.editing.update(caller, id, changes);
    return { message: 'Webhook updated.', data: presentWebhook(webhook) };
  }

  @Delete(':id')
  @ApiOperation({
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook and its deliveries',
    description: 'Waiting deliveries are not sent. For a webhook of another account the response is 404.',
  })
  @Answers(200, MessageResource, 'The webhook is deleted. An attempt that is in progress may still arrive.')
  async remove(@CurrentCaller() caller: Caller, @Param('id', IdPipe) id: number): Promise<MessageResource> {
    await this.webhooks.remove(caller.userId, id);
    return { message: 'Webhook deleted.' };
  }

  @IdempotentPost(':id/rotate-secret')
  @ApiOperation({
    operationId: 'rotateWebhookSecret',
    summary: 'Change the secret of a webhook',
    description:
      'For 24 hours each delivery has two signatures, one with the old and one with the new secret. The owner of the account is notified.',
  })
  @Answers(200, NewWebhookResource, 'The secret is changed. It is shown only in this response.')
  async rotateSecret(
    @CurrentCaller() caller: Caller,
    @Param('id', IdPipe) id: number,
  ): Promise<NewWebhookResource> {
    const { webhook, secret } = await this.editing.rotateSecret(caller, id);
    return { message: 'Secret changed.', secret, webhook: presentWebhook(webhook) };
  }
}
