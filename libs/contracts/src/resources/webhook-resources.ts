import { ApiProperty } from '@nestjs/swagger';
import {
  WEBHOOK_DELIVERY_STATUSES,
  WEBHOOK_DISABLED_REASONS,
  WEBHOOK_EVENTS,
  WEBHOOK_TEST,
  type WebhookDeliveryStatus,
  type WebhookDisabledReason,
  type WebhookEvent,
} from '../vocabulary/webhooks';
import { NullableText, NullableTime } from './nullable';

/** A webhook, without its secret. */
export class WebhookResource {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty({ format: 'uri' })
  url!: string;

  @NullableText()
  description!: string | null;

  @ApiProperty({ enum: WEBHOOK_EVENTS, isArray: true })
  events!: readonly WebhookEvent[];

  @ApiProperty({ description: 'False if the webhook receives nothing; `disabled_reason` says why.' })
  active!: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    enum: WEBHOOK_DISABLED_REASONS,
    description:
      '`paused`: its owner paused it. `failing`: every attempt for five days failed. `gone`: the receiver responded with 410. `token_ended`: the API token that created the webhook, or last changed its address or enabled it, was revoked or has expired. `password_changed`: the password of the account was changed.',
  })
  disabled_reason!: WebhookDisabledReason | null;

  @NullableTime()
  disabled_at!: string | null;

  @NullableTime('The first failed attempt after the last successful one; null if the last one succeeded.')
  failing_since!: string | null;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;
}

/** The body of the request to the receiver. */
export class WebhookPayloadResource {
  @ApiProperty({ example: 'media.processed' })
  type!: string;

  @ApiProperty({ format: 'date-time', description: 'When the event happened.' })
  timestamp!: string;

  @ApiProperty({
    type: Object,
    additionalProperties: true,
    example: { slug: 'aB3dE5f', kind: 'image', width: 1920, height: 1080, duration: null },
    description: 'What happened; the fields depend on the type.',
  })
  data!: Readonly<Record<string, unknown>>;
}

/** One event for one webhook, and its latest attempt. */
export class WebhookDeliveryResource {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty({
    format: 'uuid',
    example: '0b9f2c1e-7d34-4a5b-9c6d-1e2f3a4b5c6d',
    description: 'The header `webhook-id`: the same in every attempt.',
  })
  event_id!: string;

  @ApiProperty({ enum: [...WEBHOOK_EVENTS, WEBHOOK_TEST] })
  event!: string;

  @ApiProperty({ enum: WEBHOOK_DELIVERY_STATUSES })
  status!: WebhookDeliveryStatus;

  @ApiProperty({ type: 'integer', description: 'Attempts since it was created or last repeated.' })
  attempts!: number;

  @NullableTime()
  last_attempt_at!: string | null;

  @NullableTime('Null if there are no further attempts.')
  next_attempt_at!: string | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Duration of the latest attempt in milliseconds.',
  })
  took_ms!: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Status of the latest response; null if there was none.',
  })
  response_status!: number | null;

  @NullableText('At most the first 1,024 bytes, read as UTF-8.')
  response_body!: string | null;

  @NullableText('Why the latest attempt failed.')
  error!: string | null;

  @ApiProperty({ type: WebhookPayloadResource })
  payload!: WebhookPayloadResource;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;
}

/** The response to creating a webhook, and to changing its secret. */
export class NewWebhookResource {
  @ApiProperty()
  message!: string;

  @ApiProperty({
    description: 'The secret that signs deliveries; shown only in this response.',
    example: 'whsec_…',
  })
  secret!: string;

  @ApiProperty({ type: WebhookResource })
  webhook!: WebhookResource;
}

/** The response to changing a webhook. */
export class WebhookUpdatedResource {
  @ApiProperty()
  message!: string;

  @ApiProperty({ type: WebhookResource })
  data!: WebhookResource;
}

/** The response to a request that sends a delivery. */
export class WebhookDeliveryQueuedResource {
  @ApiProperty()
  message!: string;

  @ApiProperty({ type: WebhookDeliveryResource })
  delivery!: WebhookDeliveryResource;
}
