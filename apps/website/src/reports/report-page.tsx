import type { JSX } from 'preact';
import { PostForm } from '../components/post-form';
import { ReportFields } from '../components/report-form';
import type { FormProblem } from '../results/form-problem';
import { FormProblemNote } from '../components/form-problem-note';

interface ReportPageProps extends Omit<Parameters<typeof ReportFields>[0], 'type'> {
  readonly type: string;
  readonly problem?: FormProblem;
}

/** The page with the form for a report. */
export function ReportPage({ problem, ...report }: ReportPageProps): JSX.Element {
  return (
    <>
      <h1>Report a {report.type}</h1>
      <p class="lead">Only moderators can see who sent the report.</p>
      <FormProblemNote problem={problem} fields={[]} />
      <PostForm action="/reports" number={problem?.number} class="stack">
        <ReportFields {...report} />
        <div class="row">
          <button class="button primary">Send report</button>
          <a class="button" href={report.next}>
            Back
          </a>
        </div>
      </PostForm>
    </>
  );
}
