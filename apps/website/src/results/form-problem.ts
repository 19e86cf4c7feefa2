import { VitrineError } from '@vitrine/client';
import { fieldText } from '../visits/form-fields';
import type { Visit } from '../visits/visit';

/** The API's objections to a form, for the page that shows the form again. */
export interface FormProblem {
  /** Sentences by field. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  readonly status: number;
  /** Seconds until the form can be sent again. */
  readonly retryAfter?: number;
  /**
   * The form's number (`PostForm`), if the form may have been executed: with the same number it is executed only once.
   */
  readonly number?: string;
}

const RETRY_SECONDS = 60;
const AWAY_SECONDS = 5;

/**
 * The problem to show on the form's own page, if the visitor can solve it there. Rethrows other errors, and all errors
 * if a script sent the form and expects JSON.
 */
export function formProblemOf(error: unknown, visit: Visit): FormProblem {
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

/** An error for a form that the site itself refuses, in the API's form. */
export function invalidFormError(errors: FormProblem['errors']): VitrineError {
  const [message = ''] = Object.values(errors).flat();
  return new VitrineError({ code: 'invalid', status: 422, message, errors });
}
