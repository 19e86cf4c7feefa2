import { VitrineError } from '@vitrine/client';
import type { JSX } from 'preact';
import { fieldText } from '../visits/form-fields';
import type { Visit } from '../visits/visit';
import { durationInWords } from './durations';

/** What the API said against a form, for the page that shows the form once more. */
export interface FormTrouble {
  /** Sentences by field. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  readonly status: number;
  /** Seconds until another try counts. */
  readonly retryAfter?: number;
  /** The form's own (`PostForm`), where it may have been carried out all the same: sent again, it is done once. */
  readonly number?: string;
}

const RETRY_SECONDS = 60;
const AWAY_SECONDS = 5;

/**
 * What to tell on the form's own page, where its visitor can mend it there or wait there. Rethrows every other error,
 * and all where a script asks, which is told in JSON.
 */
export function formTroubleOf(error: unknown, visit: Visit): FormTrouble {
  if (!(error instanceof VitrineError) || visit.wantsJson) throw error;
  switch (error.code) {
    case 'invalid':
      return { errors: error.errors, status: 422 };
    case 'rate_limited': {
      const retryAfter = error.retryAfter ?? RETRY_SECONDS;
      visit.response.set('Retry-After', String(retryAfter));
      return { errors: {}, status: 429, retryAfter };
    }
    case 'network':
    case 'unavailable':
    case 'conflict':
      visit.response.set('Retry-After', String(error.retryAfter ?? AWAY_SECONDS));
      return { errors: {}, status: 503, number: fieldText(visit, '_form') };
    default:
      throw error;
  }
}

/** What the site itself has against a form's fields, as the API would say it. */
export function refusal(errors: FormTrouble['errors']): VitrineError {
  const [message = ''] = Object.values(errors).flat();
  return new VitrineError({ code: 'invalid', status: 422, message, errors });
}

interface TroubleNoteProps {
  readonly trouble: FormTrouble | undefined;
  /** Names of the form's fields: what is wrong with them is said beside them. */
  readonly fields: readonly string[];
}

/** What no field of the form can tell: limits, a service that is away, errors of fields that don't show. */
export function TroubleNote({ trouble, fields }: TroubleNoteProps): JSX.Element | null {
  if (!trouble) return null;
  const { errors, status, retryAfter } = trouble;
  const others = Object.entries(errors).flatMap(([name, lines]) => (fields.includes(name) ? [] : lines));
  const text =
    retryAfter !== undefined
      ? `Too many tries. Wait ${durationInWords(retryAfter)}, then try again.`
      : status === 503
        ? 'The service did not answer. Please send it again in a moment.'
        : others.join(' ');
  if (text === '') return null;
  return (
    <p class="callout danger" role="alert">
      {text}
    </p>
  );
}
