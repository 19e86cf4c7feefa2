import type { JSX } from 'preact';
import { PostForm } from '../components/post-form';
import { ReportFields } from '../components/report-form';
import { type FormTrouble, TroubleNote } from '../rendering/form-trouble';

interface ReportPageProps extends Omit<Parameters<typeof ReportFields>[0], 'type'> {
  readonly type: string;
  readonly trouble?: FormTrouble;
}

/** The form of a report on a page of its own. */
export function ReportPage({ trouble, ...report }: ReportPageProps): JSX.Element {
  return (
    <>
      <h1>Report a {report.type}</h1>
      <p class="lead">Moderators see who reported it; nobody else does.</p>
      <TroubleNote trouble={trouble} fields={[]} />
      <PostForm action="/reports" number={trouble?.number} class="stack">
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
