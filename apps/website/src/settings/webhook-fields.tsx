import {
  MAX_WEBHOOK_DESCRIPTION,
  MAX_WEBHOOK_URL,
  WEBHOOK_EVENTS,
  type WebhookEvent,
} from '@vitrine/contracts';
import type { JSX } from 'preact';
import { Field } from '../components/field';
import type { FormProblem } from '../results/form-problem';

const MEANINGS: Readonly<Record<WebhookEvent, string>> = {
  'media.uploaded': 'A file is stored.',
  'media.processed': 'All its sizes exist.',
  'media.failed': 'A file cannot be processed.',
  'media.moderated': 'Its moderation status was decided.',
  'media.deleted': 'It is deleted.',
  'post.created': 'You have created a post.',
  'post.updated': 'A post or its moderation status has changed.',
  'post.deleted': 'A post is deleted.',
  'comment.created': 'Someone has commented on your post.',
  'comment.updated': 'Someone has edited their comment on your post.',
  'comment.deleted': 'Someone’s comment on your post is deleted.',
  'user.followed': 'Someone follows you.',
};

/** The values of the form of a webhook. */
export interface WebhookForm {
  readonly url: string;
  readonly description: string;
  readonly events: readonly string[];
}

export const EMPTY_WEBHOOK: WebhookForm = { url: '', description: '', events: WEBHOOK_EVENTS };

/** Names of the fields below, whose errors are shown beside them. */
export const WEBHOOK_FIELDS = ['url', 'description', 'events'] as const;

interface WebhookFieldsProps {
  readonly form: WebhookForm;
  readonly problem: FormProblem | undefined;
}

/** The fields of a new or existing webhook. */
export function WebhookFields({ form, problem }: WebhookFieldsProps): JSX.Element {
  const errors = problem?.errors ?? {};
  const eventErrors = errors['events'];
  return (
    <>
      <Field
        label="Address"
        name="url"
        hint="It receives a POST request for each event. Port 80, 443, 8080 or 8443; no private network."
        errors={errors['url']}
      >
        {(control) => (
          <input
            {...control}
            type="url"
            value={form.url}
            maxLength={MAX_WEBHOOK_URL}
            required
            autoComplete="off"
            placeholder="https://"
          />
        )}
      </Field>
      <Field label="Description (optional)" name="description" errors={errors['description']}>
        {(control) => (
          <input
            {...control}
            type="text"
            value={form.description}
            maxLength={MAX_WEBHOOK_DESCRIPTION}
            autoComplete="off"
          />
        )}
      </Field>
      <fieldset class="choices columns" {...(eventErrors && { 'aria-describedby': 'events-error' })}>
        <legend>Events</legend>
        {WEBHOOK_EVENTS.map((event) => (
          <div class="choice">
            <input
              type="checkbox"
              id={`event-${event}`}
              name="events"
              value={event}
              checked={form.events.includes(event)}
              aria-describedby={`event-${event}-hint`}
            />
            <label for={`event-${event}`}>
              <code>{event}</code>
            </label>
            <p class="hint" id={`event-${event}-hint`}>
              {MEANINGS[event]}
            </p>
          </div>
        ))}
        {eventErrors && (
          <p class="error" id="events-error">
            {eventErrors.join(' ')}
          </p>
        )}
      </fieldset>
    </>
  );
}
