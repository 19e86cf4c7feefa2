import { entrancePage } from './entrance-page';
import { FormProblemNote } from '../components/form-problem-note';
import { PasswordField } from '../components/password-field';
import { PostForm } from '../components/post-form';
import type { FormProblem } from '../results/form-problem';
import type { Page } from '../results/page';

interface LinkForm {
  /** The code in the link. */
  readonly code: string;
  readonly problem?: FormProblem;
}

/** The page of a link to set a new password. Opening it changes nothing. */
export const resetPasswordPage = ({ code, problem }: LinkForm): Page =>
  entrancePage(
    { title: 'Set a new password', status: problem?.status ?? 200, scripts: ['account.js'] },
    <>
      <p class="quiet">
        All your devices will be logged out, your API tokens will stop working, and your webhooks will be
        disabled.
      </p>
      <FormProblemNote problem={problem} fields={['password']} />
      {problem?.errors['code'] && (
        <p>
          <a href="/forgot-password">Ask for another link</a>
        </p>
      )}
      <PostForm action="/reset-password" number={problem?.number} class="card stack">
        <PasswordField
          label="New password"
          name="password"
          autoComplete="new-password"
          minLength={10}
          hint="At least 10 characters. A short sentence works well."
          errors={problem?.errors['password']}
        />
        <input type="hidden" name="code" value={code} />
        <button class="button primary wide">Set the password</button>
      </PostForm>
    </>,
  );

/** The page of a link to confirm an email address. Opening it changes nothing, because mail programs open links. */
export const verifyEmailPage = ({ code, problem }: LinkForm): Page =>
  entrancePage(
    { title: 'Confirm your email address', heading: 'Confirm your address', status: problem?.status ?? 200 },
    <>
      <FormProblemNote problem={problem} fields={[]} />
      {problem?.errors['code'] && (
        <p>
          You can have the link sent again in your <a href="/settings">settings</a>.
        </p>
      )}
      <PostForm action="/verify-email" number={problem?.number} class="card stack">
        <p>You can then log in with this address, and it receives mails about your account.</p>
        <input type="hidden" name="code" value={code} />
        <button class="button primary wide">Confirm the address</button>
      </PostForm>
    </>,
  );
