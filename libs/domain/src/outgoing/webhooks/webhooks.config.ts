import { parse, Setting } from '@vitrine/runtime';

/** How webhooks are delivered. */
export class WebhooksConfig {
  @Setting({
    env: 'WEBHOOKS_ALLOW_PRIVATE',
    why: 'Whether webhooks may lead to private addresses and to any port. Turn it on only if every account is trusted with your network.',
    parse: parse.flag,
    default: false,
    example: 'false',
  })
  allowPrivate!: boolean;

  @Setting({
    env: 'WEBHOOKS_TIMEOUT_SECONDS',
    why: 'Seconds within which the receiver of a webhook must answer.',
    parse: parse.integer(1, 60),
    default: 15,
    example: '15',
  })
  timeoutSeconds!: number;
}
