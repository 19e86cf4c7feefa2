import type { JSX } from 'preact';
import { MAX_LENGTHS } from '@vitrine/contracts';
import { Field } from '../components/field';
import { PostForm } from '../components/post-form';
import { ReportFields } from '../components/report-form';
import type { FormProblem } from '../results/form-problem';
import { FormProblemNote } from '../components/form-problem-note';

interface ReportPageProps extends Omit<Parameters<typeof ReportFields>[0], 'type'> {
  readonly type: string;
  readonly problem?: FormProblem;
  /** Whether the visitor has no account, and what was typed as the address for an answer. */
  readonly asVisitor: boolean;
  readonly contact?: string;
  /** Whether the site requires a proof of work of visitors. */
  readonly needsProof: boolean;
}

/** The page with the form for a report. */
export function ReportPage({
  problem,
  asVisitor,
  contact,
  needsProof,
  ...report
}: ReportPageProps): JSX.Element {
  return (
    <>
      <h1>Report a {report.type}</h1>
      <p class="lead">Only moderators can see who sent the report.</p>
      <FormProblemNote problem={problem} fields={['contact']} />
      <PostForm
        action="/reports"
        number={problem?.number}
        class="stack"
        {...(needsProof && { 'data-proof-of-work': 'report' })}
      >
        <ReportFields {...report} />
        {asVisitor && (
          <Field
            label="Your email address (optional)"
            name="contact"
            hint="Moderators can answer you there. Nobody else sees it."
            errors={problem?.errors['contact']}
          >
            {(control) => <input {...control} type="email" value={contact} maxLength={MAX_LENGTHS.email} />}
          </Field>
        )}
        {needsProof && (
          <>
            <noscript>
              <p class="callout">
                Without an account, this form needs JavaScript. You can also log in and report, or write to
                the operator of this site.
              </p>
            </noscript>
            <p class="small quiet" role="status" data-proof-status hidden />
            <input type="hidden" name="proof_of_work" value="" />
          </>
        )}
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
