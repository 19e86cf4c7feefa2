import type { JSX } from 'preact';
import type { Visit } from '../visits/visit';
import { durationInWords } from '../components/words';
import type { PageOptions } from '../results/page';
import type { Problem } from '../results/problem';

/** The page for an error, with advice. */
export const errorPage = (problem: Problem, visit: Visit): PageOptions => ({
  title: HEADINGS[problem.status] ?? 'Something went wrong',
  status: problem.status,
  head: { robots: 'noindex' },
  body: <ErrorPage problem={problem} path={visit.path} />,
});

const HEADINGS: Readonly<Record<number, string>> = {
  403: 'You don’t have permission',
  404: 'Page not found',
  405: 'Page not found',
  429: 'Too many requests',
  500: 'Something went wrong',
  503: 'Temporarily unavailable',
};

function ErrorPage({ problem, path }: { readonly problem: Problem; readonly path: string }): JSX.Element {
  const { status, message, retryAfter, requestId } = problem;
  return (
    <div class="error-page" data-status={status}>
      <p class="error-code" aria-hidden="true">
        {status}
      </p>
      <h1>{HEADINGS[status] ?? 'Something went wrong'}</h1>
      <p class="lead">{ADVICE[status] ?? message}</p>
      {retryAfter !== undefined && (
        <p>
          Wait <strong data-retry-after={retryAfter}>{durationInWords(retryAfter)}</strong>, then{' '}
          <a href={path}>try again</a>.
        </p>
      )}
      {status >= 500 && (
        <p>
          If this keeps happening, please tell the operator of this site and quote <code>{requestId}</code>.
        </p>
      )}
      <p>
        <a class="button" href="/">
          Go to the home page
        </a>
      </p>
    </div>
  );
}

const ADVICE: Readonly<Record<number, string>> = {
  403: 'You may be logged in to a different account, or the form may have come from another site.',
  404: 'The address may be wrong, or the page was deleted or is private.',
  405: 'This address does not support this kind of request.',
  429: 'You have sent too many requests in a short time.',
  500: 'This is our fault, not yours. Please try again in a moment.',
  503: 'Part of the service is not responding right now. Nothing is lost.',
};
