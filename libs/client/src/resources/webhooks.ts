import { Listing, type ListingOf } from '../lists/listing';
import type { Webhook, WebhookDelivery } from '../api/types';
import type { AnswerOf, BodyOf, CallOptions, Transport } from '../transport/transport';

/** The caller's webhooks and their deliveries. */
export class Webhooks {
  constructor(private readonly transport: Transport) {}

  async list(options?: CallOptions): Promise<readonly Webhook[]> {
    return (await this.transport.call('listWebhooks', {}, options)).data;
  }

  async get(id: number, options?: CallOptions): Promise<Webhook> {
    return (await this.transport.call('getWebhook', { path: { id } }, options)).data;
  }

  /** Creates a webhook. The result's `secret` signs its deliveries; the API never shows it again. */
  create(body: BodyOf<'createWebhook'>, options?: CallOptions): Promise<AnswerOf<'createWebhook'>> {
    return this.transport.call('createWebhook', { body }, options);
  }

  /** Changes the given fields. `active` pauses and enables the webhook. */
  async update(id: number, body: BodyOf<'updateWebhook'>, options?: CallOptions): Promise<Webhook> {
    return (await this.transport.call('updateWebhook', { path: { id }, body }, options)).data;
  }

  async delete(id: number, options?: CallOptions): Promise<void> {
    await this.transport.call('deleteWebhook', { path: { id } }, options);
  }

  /** Replaces the secret and returns the new one. The old one stays valid for 24 hours. */
  async rotateSecret(id: number, options?: CallOptions): Promise<string> {
    return (await this.transport.call('rotateWebhookSecret', { path: { id } }, options)).secret;
  }

  /** `client.webhooks.deliveries(1).iterate()` */
  deliveries(id: number): ListingOf<'listWebhookDeliveries'> {
    return new Listing((query, options) =>
      this.transport.call('listWebhookDeliveries', { path: { id }, query }, options),
    );
  }

  async getDelivery(id: number, delivery: number, options?: CallOptions): Promise<WebhookDelivery> {
    return (await this.transport.call('getWebhookDelivery', { path: { id, delivery } }, options)).data;
  }

  /** Sends the event `webhook.test`. */
  async test(id: number, options?: CallOptions): Promise<WebhookDelivery> {
    return (await this.transport.call('testWebhook', { path: { id } }, options)).delivery;
  }

  /** Sends a delivery again. */
  async repeat(id: number, delivery: number, options?: CallOptions): Promise<WebhookDelivery> {
    return (await this.transport.call('repeatWebhookDelivery', { path: { id, delivery } }, options)).delivery;
  }
}
