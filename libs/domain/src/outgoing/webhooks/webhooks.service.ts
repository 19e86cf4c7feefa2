import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { MAX_WEBHOOKS, WEBHOOK_EVENTS, WEBHOOK_TEST } from '@vitrine/contracts';
import { type Transaction, Database } from '@vitrine/database';
import { AuthorsService } from '../../accounts/authors/authors.service';
import { InvalidFieldsError, NotFoundError } from '../../base/errors/domain-error';
import { readDestination } from '../requests/destination.rules';
import { mintWebhookSecret, printSecret } from './signature';
import { WebhookDeliveryRepository } from './webhook-delivery.repository';
import type { Webhook, WebhookChanges, WebhookDelivery, WebhookEditor, WebhookFields } from './webhook.types';
import { WebhookRepository } from './webhook.repository';
import { WebhooksConfig } from './webhooks.config';

/** For this many seconds after a change of the secret, deliveries are also signed with the old one. */
const OLD_SECRET_SECONDS = 86_400;
const PAUSED_ERROR = 'The webhook was paused before this attempt.';
const PASSWORD_ERROR = 'The password of the account was changed before this attempt.';
const EXPIRED_ERROR = 'The API token of the webhook expired before this attempt.';

/** A webhook with its secret, which is shown once. */
export interface WebhookWithSecret {
  readonly webhook: Webhook;
  readonly secret: string;
}

/** A webhook after a change. */
export interface ChangedWebhook {
  readonly webhook: Webhook;
  /** Whether its address has changed. */
  readonly moved: boolean;
}

/** A page of deliveries. */
export interface WebhookDeliveryPage {
  readonly deliveries: readonly WebhookDelivery[];
  readonly total: number;
}

/** Use cases of webhooks. Each throws `NotFoundError` if the user has no such webhook. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly database: Database,
    private readonly repository: WebhookRepository,
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly authors: AuthorsService,
    private readonly config: WebhooksConfig,
  ) {}

  /** The webhooks of a user, oldest first. */
  list(userId: number): Promise<readonly Webhook[]> {
    return this.repository.findAll(userId);
  }

  async find(userId: number, id: number): Promise<Webhook> {
    return found(await this.repository.find(userId, id));
  }

  /**
   * Creates a webhook within the caller's transaction. Throws `InvalidFieldsError` if the address can't be used or the
   * user has `MAX_WEBHOOKS`, and `UnauthenticatedError` for a deleted account.
   */
  async create(
    tx: Transaction,
    editor: WebhookEditor,
    { url, description = null, events = WEBHOOK_EVENTS }: Pick<WebhookFields, 'url'> & WebhookChanges,
  ): Promise<WebhookWithSecret> {
    const fields = { url: this.usable(url), description, events };
    const secret = mintWebhookSecret();
    await this.repository.lockCount(tx, editor.userId);
    await this.authors.holdLiving(tx, editor.userId);
    if ((await this.repository.count(tx, editor.userId)) >= MAX_WEBHOOKS) {
      throw new InvalidFieldsError({ url: [`An account may not have more than ${MAX_WEBHOOKS} webhooks.`] });
    }
    const webhook = await this.repository.insert(tx, editor, fields, secret);
    return { webhook, secret: printSecret(secret) };
  }

  /**
   * Changes a webhook within the caller's transaction. A new address starts without earlier failures. The webhook depends on
   * the API token, or on none, of the editor who last changed its address, named it with `active: true`, or enabled the disabled
   * webhook. Throws `InvalidFieldsError`.
   */
  async update(
    tx: Transaction,
    { userId, tokenId }: WebhookEditor,
    id: number,
    changes: WebhookChanges,
  ): Promise<ChangedWebhook> {
    const url = changes.url === undefined ? undefined : this.usable(changes.url);
    const before = found(await this.repository.lock(tx, userId, id));
    await this.repository.update(tx, id, {
      url: url ?? before.url,
      description: changes.description === undefined ? before.description : changes.description,
      events: changes.events ?? before.events,
    });
    const moved = url !== undefined && url !== before.url;
    if (moved) await this.repository.noteSuccess(tx, id);
    if (changes.active === true) await this.repository.enable(tx, id);
    // A webhook that is enabled changes its token only with its address: else, it could keep an address that a stolen token set.
    const isChosen = changes.active === true && (url !== undefined || before.disabledReason !== null);
    if (moved || isChosen) await this.repository.setToken(tx, id, tokenId);
    if (changes.active === false && (await this.repository.disable(tx, id, 'paused')))
      await this.deliveries.giveUp(tx, id, PAUSED_ERROR);
    return { webhook: found(await this.repository.lock(tx, userId, id)), moved };
  }

  /** Replaces the secret within the caller's transaction. Deliveries of the next 24 hours are signed with both. */
  async rotateSecret(tx: Transaction, userId: number, id: number): Promise<WebhookWithSecret> {
    const secret = mintWebhookSecret();
    const webhook = found(await this.repository.lock(tx, userId, id));
    await this.repository.replaceSecret(tx, id, secret, OLD_SECRET_SECONDS);
    return { webhook, secret: printSecret(secret) };
  }

  /** Disables the webhooks of a user within the transaction that changes the password. */
  async disableAll(tx: Transaction, userId: number): Promise<void> {
    const ids = await this.repository.disableAll(tx, userId, 'password_changed');
    for (const id of ids) await this.deliveries.giveUp(tx, id, PASSWORD_ERROR);
  }

  /** Disables the webhooks whose API tokens have expired, within the caller's transaction; returns them. */
  async disableOfExpiredTokens(tx: Transaction): Promise<readonly Webhook[]> {
    const webhooks = await this.repository.disableOfExpiredTokens(tx);
    for (const { id } of webhooks) await this.deliveries.giveUp(tx, id, EXPIRED_ERROR);
    return webhooks;
  }

  /** Removes a webhook and its deliveries. */
  async remove(userId: number, id: number): Promise<void> {
    if (!(await this.database.transaction((tx) => this.repository.remove(tx, userId, id))))
      throw new NotFoundError();
  }

  /** Removes all webhooks of a user within the caller's transaction. */
  removeAll(tx: Transaction, userId: number): Promise<void> {
    return this.repository.removeAll(tx, userId);
  }

  /** A page of a webhook's deliveries, newest first. */
  async findDeliveries(
    userId: number,
    id: number,
    { page, limit }: { readonly page: number; readonly limit: number },
  ): Promise<WebhookDeliveryPage> {
    found(await this.repository.find(userId, id));
    const [deliveries, total] = await Promise.all([
      this.deliveries.findPage(id, limit, (page - 1) * limit),
      this.deliveries.count(id),
    ]);
    return { deliveries, total };
  }

  /** One delivery. Throws `NotFoundError` if the webhook has no such delivery. */
  async findDelivery(userId: number, id: number, deliveryId: number): Promise<WebhookDelivery> {
    found(await this.repository.find(userId, id));
    return found(await this.deliveries.find(id, deliveryId));
  }

  /** Sends an event without content. Throws `InvalidFieldsError` if the webhook is disabled. */
  sendTest(userId: number, id: number): Promise<WebhookDelivery> {
    return this.database.transaction(async (tx) => {
      assertActive(found(await this.repository.lock(tx, userId, id)));
      return this.deliveries.insert(tx, id, {
        eventId: randomUUID(),
        event: WEBHOOK_TEST,
        occurredAt: new Date(),
        data: { webhook_id: id },
      });
    });
  }

  /**
   * Sends a delivery again now, with all its attempts. Throws `NotFoundError` if the webhook has no such delivery, and
   * `InvalidFieldsError` if the webhook is disabled.
   */
  repeat(userId: number, id: number, deliveryId: number): Promise<WebhookDelivery> {
    return this.database.transaction(async (tx) => {
      const webhook = found(await this.repository.lock(tx, userId, id));
      const delivery = found(await this.deliveries.restart(tx, id, deliveryId));
      assertActive(webhook);
      return delivery;
    });
  }

  /** The address in normal form, so that the share of a host counts however its owner writes the address. */
  private usable(address: string): string {
    const url = readDestination(address, this.config);
    if (typeof url === 'string') throw new InvalidFieldsError({ url: [`The url field ${url}.`] });
    return url.href;
  }
}

function found<Item>(item: Item | null): Item {
  if (item === null) throw new NotFoundError();
  return item;
}

function assertActive({ disabledReason }: Webhook): void {
  if (disabledReason !== null)
    throw new InvalidFieldsError({ active: ['The webhook is disabled. Enable it first.'] });
}
