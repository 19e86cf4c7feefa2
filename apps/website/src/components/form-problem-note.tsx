import type { JSX } from 'preact';
import type { FormProblem } from '../results/form-problem';
import { durationInWords } from './words';

interface FormProblemNoteProps {
  readonly problem: FormProblem | undefined;
  /** Names of the form's fields. Their errors are shown beside them and not here. */
  readonly fields: readonly string[];
}

/**
 * Shows the problems of a form that belong to no visible field: rate limits, an unavailable service, errors of hidden
 * fields.
 */
export function FormProblemNote({ problem, fields }: FormProblemNoteProps): JSX.Element | null {
  if (!problem) return null;
  const { errors, status, retryAfter } = problem;
  const others = Object.entries(errors).flatMap(([name, lines]) => (fields.includes(name) ? [] : lines));
  const text =
    retryAfter !== undefined
      ? `Too many attempts. Wait ${durationInWords(retryAfter)}, then try again.`
      : status === 503
        ? 'The service did not respond. Please try again in a moment.'
        : others.join(' ');
  if (text === '') return null;
  return (
    <p class="callout danger" role="alert">
      {text}
    </p>
  );
}
