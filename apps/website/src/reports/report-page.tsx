import type { JSX } from 'preact';
import { PostForm } from '../components/post-form';
import { ReportFields } from '../components/report-form';

interface ReportPageProps extends Omit<Parameters<typeof ReportFields>[0], 'type'> {
  readonly type: string;
  readonly errors?: readonly string[];
}

/** The form of a report on a page of its own. */
export function ReportPage({ errors = [], ...report }: ReportPageProps): JSX.Element {
  return (
    <>
      <h1>Report a {report.type}</h1>
      <p class="lead">Moderators see who reported it; nobody else does.</p>
      {errors.length > 0 && (
        <p class="callout danger" role="alert">
          {errors.join(' ')}
        </p>
      )}
      <PostForm action="/reports" class="stack">
        <ReportFields {...report} />
        <div class="row">
          <button class="button primary">Send the report</button>
          <a class="button" href={report.next}>
            Back
          </a>
        </div>
      </PostForm>
    </>
  );
}
