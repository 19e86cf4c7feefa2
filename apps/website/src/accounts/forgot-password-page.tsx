import { entrancePage } from './entrance-page';
import type { JSX } from 'preact';
import { FormProblemNote } from '../components/form-problem-note';
import { LoginField } from '../components/log-in-fields';
import { PostForm } from '../components/post-form';
import type { FormProblem } from '../results/form-problem';
import { Page } from '../results/page';

export interface ForgotPasswordForm {
  /** Whether the site sends mails. */
  readonly sendsMail: boolean;
  /** What was typed. */
  readonly login?: string;
  readonly problem?: FormProblem;
}

/** The page on which people ask for a link to set a new password. */
export const forgotPasswordPage = (form: ForgotPasswordForm): Page =>
  new Page({
    title: 'Forgot your password?',
    status: form.problem?.status ?? 200,
    head: { robots: 'noindex' },
    styles: ['account.css'],
    secret: true,
    body: <ForgotPassword {...form} />,
  });

/** What people see after they have asked: the same for every name. */
export const resetRequestedPage = (): Page =>
  entrancePage(
    { title: 'Check your inbox' },
    <>
      <p class="callout good">
        If there is an account with a confirmed email address, we have sent a link to that address. It works
        once, for 30 minutes.
      </p>
      <p class="quiet">
        If the mail doesn’t arrive, check your spam folder. If your account has no confirmed address, ask the
        operator of this site for a link.
      </p>
      <p>
        <a class="button" href="/login">
          Log in
        </a>
      </p>
    </>,
  );

function ForgotPassword({ sendsMail, login = '', problem }: ForgotPasswordForm): JSX.Element {
  return (
    <div class="entrance">
      <h1>Forgot your password?</h1>
      {sendsMail ? (
        <>
          <p class="quiet">We send a link to the confirmed email address of your account.</p>
          <FormProblemNote problem={problem} fields={['login']} />
          <PostForm action="/forgot-password" number={problem?.number} class="card stack">
            <LoginField login={login} problem={problem} autoFocus={login === ''} />
            <button class="button primary wide">Send the link</button>
          </PostForm>
        </>
      ) : (
        <p class="callout">
          This site sends no mails. Ask its operator for a link with which you can set a new password.
        </p>
      )}
      <p class="quiet">
        <a href="/login">Back to the login</a>
      </p>
    </div>
  );
}
