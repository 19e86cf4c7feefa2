import type { OpenAPIObject, ParameterObject, ReferenceObject, SchemaObject } from '@nestjs/swagger';
import { WEBHOOK_PAYLOADS, type WebhookPayloadType } from '@vitrine/contracts/api';
import { exampleOf } from './example-of';

type Schema = SchemaObject | ReferenceObject;

/** The classes to which the requests refer. */
export const WEBHOOK_MODELS = Object.values(WEBHOOK_PAYLOADS).map(({ data }) => data);

const header = (name: string, description: string, schema: SchemaObject): ParameterObject => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
});

const HEADERS = [
  header('webhook-id', 'The same in every attempt to deliver the event.', { type: 'string', format: 'uuid' }),
  header('webhook-timestamp', 'Time of the attempt, in seconds since the Unix epoch.', {
    type: 'string',
    pattern: '^[0-9]+$',
  }),
  header(
    'webhook-signature',
    'Signatures of `<webhook-id>.<webhook-timestamp>.<body>`, separated by spaces; at least one must be valid. Each consists of `v1,` and an HMAC-SHA-256 in base64. Its key is the part of the secret after `whsec_`, decoded from base64.',
    { type: 'string', pattern: '^v1,[A-Za-z0-9+/=]+( v1,[A-Za-z0-9+/=]+)*$' },
  ),
];

const RESPONSES = {
  '2XX': { description: 'The receiver has the event. Every other response counts as a failure.' },
  410: { description: 'The receiver accepts no more events; the webhook is then disabled.' },
};

/**
 * The requests that webhooks send, for the section `webhooks` of the document. Adds a schema for each payload to `schemas`,
 * such as `MediaUploadedEvent`.
 */
export function describeWebhooks(schemas: Record<string, Schema>): NonNullable<OpenAPIObject['webhooks']> {
  const types = Object.keys(WEBHOOK_PAYLOADS) as WebhookPayloadType[];
  const webhooks = types.map((type) => {
    const { when, data } = WEBHOOK_PAYLOADS[type];
    const name = data.name.replace(/Data$/, '');
    const schema = { $ref: `#/components/schemas/${name}` };
    schemas[name] = payloadSchema(type, data.name);
    const content = { 'application/json': { schema, example: exampleOf(schema, schemas) } };
    const post = {
      operationId: `receive${name}`,
      tags: ['webhooks'],
      summary: when,
      description:
        'Sent to the address of each webhook that is registered for this event, at least once, signed as Standard Webhooks (standardwebhooks.com) describes it.',
      parameters: HEADERS,
      requestBody: { required: true, content },
      responses: RESPONSES,
      security: [],
    };
    return [type, { post }] as const;
  });
  return Object.fromEntries(webhooks);
}

const payloadSchema = (type: WebhookPayloadType, data: string): SchemaObject => ({
  type: 'object',
  required: ['type', 'timestamp', 'data'],
  properties: {
    type: { type: 'string', enum: [type] },
    timestamp: { type: 'string', format: 'date-time', description: 'When the event happened.' },
    data: { $ref: `#/components/schemas/${data}` },
  },
});
