import type { JSX } from 'preact';
import type { Visit } from '../visits/visit';
import { durationInWords } from './durations';
import type { PageOptions } from './page';
import type { Trouble } from './trouble';

/** A page that says what went wrong, and what helps. */
export const errorPage = (trouble: Trouble, visit: Visit): PageOptions => ({
  title: HEADINGS[trouble.status] ?? 'That did not work',
  status: trouble.status,
  head: { robots: 'noindex' },
  body: <ErrorPage trouble={trouble} path={visit.path} />,
});

const HEADINGS: Readonly<Record<number, string>> = {
  403: 'This is not yours to do',
  404: 'There is nothing here',
  405: 'There is nothing here',
  429: 'That was a bit fast',
  500: 'Something went wrong',
  503: 'Back in a moment',
};

function ErrorPage({ trouble, path }: { readonly trouble: Trouble; readonly path: string }): JSX.Element {
  const { status, message, retryAfter, requestId } = trouble;
  return (
    <div class="error-page" data-status={status}>
      <p class="error-code" aria-hidden="true">
        {status}
      </p>
      <h1>{HEADINGS[status] ?? 'That did not work'}</h1>
      <p class="lead">{ADVICE[status] ?? message}</p>
      {retryAfter !== undefined && (
        <p>
          Come back in <strong data-retry-after={retryAfter}>{durationInWords(retryAfter)}</strong>, then{' '}
          <a href={path}>try again</a>.
        </p>
      )}
      {status >= 500 && (
        <p>
          If it keeps happening, tell whoever runs this site, and quote <code>{requestId}</code>.
        </p>
      )}
      <p>
        <a class="button" href="/">
          To the front page
        </a>
      </p>
    </div>
  );
}

const ADVICE: Readonly<Record<number, string>> = {
  403: 'You may be logged in as somebody else, or this form came from another page than ours.',
  404: 'The address may be mistyped, or what it showed was deleted or is private.',
  405: 'This address takes no such request.',
  429: 'There are limits to how often a page may be asked for, and you have reached one.',
  500: 'That is our fault, not yours. Please try again in a moment.',
  503: 'A part of the service does not answer right now. Nothing is lost.',
};
