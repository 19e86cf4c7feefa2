import type { JSX } from 'preact';
import { FormProblemNote } from '../components/form-problem-note';
import { PostForm } from '../components/post-form';
import type { FormProblem } from '../results/form-problem';
import { Page } from '../results/page';
import { PROOF_FIELDS, ProofFields } from './proof-fields';
import { SettingsFrame } from './settings-frame';

interface EndSessionProps {
  readonly username: string;
  /** The id of the session to end; null for all but this one. */
  readonly id: number | null;
  /** The device of the session, if it is known. */
  readonly device: string | null;
  readonly problem?: FormProblem | undefined;
}

/** The page on which people prove who they are before they end a session on another device. */
export const endSessionPage = (props: EndSessionProps): Page =>
  new Page({
    title: 'Log out of other devices',
    status: props.problem?.status ?? 200,
    head: { robots: 'noindex' },
    styles: ['account.css'],
    scripts: ['account.js'],
    secret: true,
    body: <EndSession {...props} />,
  });

function EndSession({ username, id, device, problem }: EndSessionProps): JSX.Element {
  return (
    <SettingsFrame tab="/settings">
      <section class="card stack" aria-labelledby="ending">
        <h2 id="ending">{id === null ? 'Log out of all other devices' : 'Log out of another device'}</h2>
        {id !== null && <p>{device ?? 'Unknown browser'}</p>}
        <p>Please confirm that it is you.</p>
        <FormProblemNote problem={problem} fields={PROOF_FIELDS} />
        <PostForm
          action={`/settings/sessions/${id === null ? 'end-others' : `${id}/end`}`}
          number={problem?.number}
          class="stack"
        >
          <ProofFields id="proof" username={username} problem={problem} codes />
          <div class="row">
            <button class="button primary">Log out there</button>
            <a class="button" href="/settings">
              Cancel
            </a>
          </div>
        </PostForm>
      </section>
    </SettingsFrame>
  );
}
