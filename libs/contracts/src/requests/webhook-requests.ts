import {
  MAX_WEBHOOK_DESCRIPTION,
  MAX_WEBHOOK_URL,
  WEBHOOK_EVENTS,
  type WebhookEvent,
} from '../vocabulary/webhooks';
import { Choices, Flag, Text, OptionalText } from './fields';

const URL_RULES =
  'An http or https address without user and password, on port 80, 443, 8080 or 8443. It must not lead to a private network.';

/** POST /webhooks */
export class CreateWebhookRequest {
  @Text({ required: true, max: MAX_WEBHOOK_URL, description: URL_RULES })
  url!: string;

  @Choices(WEBHOOK_EVENTS, { description: 'The events to send. Default: all of them.' })
  events?: WebhookEvent[];

  @OptionalText({
    max: MAX_WEBHOOK_DESCRIPTION,
    description: 'Describes what the webhook is used for.',
  })
  description?: string | null;
}

/** PATCH /webhooks/<id>: omitted fields stay unchanged; null clears a field. */
export class UpdateWebhookRequest {
  @Text({ max: MAX_WEBHOOK_URL, description: URL_RULES })
  url?: string;

  @Choices(WEBHOOK_EVENTS, { description: 'The events to send.' })
  events?: WebhookEvent[];

  @OptionalText({
    max: MAX_WEBHOOK_DESCRIPTION,
    description: 'Describes what the webhook is used for.',
  })
  description?: string | null;

  @Flag({
    description: '`false` pauses the webhook. `true` enables it again, whatever disabled it.',
  })
  active?: boolean;
}
