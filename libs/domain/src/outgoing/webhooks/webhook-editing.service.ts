import { Injectable } from '@nestjs/common';
import { type Transaction, Database } from '@vitrine/database';
import type { Caller } from '../../base/access/caller';
import { AuthorsService } from '../../accounts/authors/authors.service';
import { TokensService } from '../../sign-in/tokens/tokens.service';
import { AccountNotices } from '../../accounts/users/account-notices.service';
import type { Webhook, WebhookChanges, WebhookEditor, WebhookFields } from './webhook.types';
import { WebhooksService, type WebhookWithSecret } from './webhooks.service';

/**
 * Creates and changes webhooks for callers. The owner of the account is notified of each change with which others could
 * receive its events or forge them. Methods with a caller throw `UnauthenticatedError` if the caller's token has ended.
 */
@Injectable()
export class WebhookEditing {
  constructor(
    private readonly database: Database,
    private readonly webhooks: WebhooksService,
    private readonly authors: AuthorsService,
    private readonly tokens: TokensService,
    private readonly notices: AccountNotices,
  ) {}

  /** Creates a webhook. Throws as `WebhooksService.create` does. */
  create(caller: Caller, fields: Pick<WebhookFields, 'url'> & WebhookChanges): Promise<WebhookWithSecret> {
    return this.database.transaction(async (tx) => {
      await this.hold(tx, caller);
      const created = await this.webhooks.create(tx, editorOf(caller), fields);
      const host = hostOf(created.webhook);
      await this.notices.add(tx, caller.userId, { what: 'webhook-created', host });
      return created;
    });
  }

  /** Changes a webhook. Throws `NotFoundError`, and `InvalidFieldsError` as `WebhooksService.update` does. */
  update(caller: Caller, id: number, changes: WebhookChanges): Promise<Webhook> {
    return this.database.transaction(async (tx) => {
      await this.hold(tx, caller);
      const { webhook, moved } = await this.webhooks.update(tx, editorOf(caller), id, changes);
      const host = hostOf(webhook);
      if (moved) await this.notices.add(tx, caller.userId, { what: 'webhook-moved', host });
      return webhook;
    });
  }

  /** Replaces the secret of a webhook. Throws `NotFoundError`. */
  rotateSecret(caller: Caller, id: number): Promise<WebhookWithSecret> {
    return this.database.transaction(async (tx) => {
      await this.hold(tx, caller);
      const rotated = await this.webhooks.rotateSecret(tx, caller.userId, id);
      const host = hostOf(rotated.webhook);
      await this.notices.add(tx, caller.userId, { what: 'webhook-secret-changed', host });
      return rotated;
    });
  }

  /** Disables the webhooks whose API tokens have expired, and tells their owners; returns how many. */
  disableOfExpiredTokens(): Promise<number> {
    return this.database.transaction(async (tx) => {
      const disabled = await this.webhooks.disableOfExpiredTokens(tx);
      // In one order, because a notice locks the account.
      for (const webhook of disabled.toSorted((one, other) => one.userId - other.userId)) {
        await this.notices.add(tx, webhook.userId, { what: 'webhook-expired', host: hostOf(webhook) });
      }
      return disabled.length;
    });
  }

  /** Keeps the account and the caller's token until the transaction ends, in the order in which a deletion locks them. */
  private async hold(tx: Transaction, caller: Caller): Promise<void> {
    await this.authors.holdLiving(tx, caller.userId);
    await this.tokens.hold(tx, [caller.tokenId]);
  }
}

const editorOf = ({ userId, tokenId, kind }: Caller): WebhookEditor => ({
  userId,
  tokenId: kind === 'api' ? tokenId : null,
});

const hostOf = ({ url }: Webhook): string => new URL(url).host;
