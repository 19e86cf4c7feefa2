import type { AnswerOf } from '@vitrine/client';
import type { ComponentChildren, JSX } from 'preact';
import { MAX_LENGTHS } from '@vitrine/contracts';
import { Field } from '../components/field';
import { PasswordField } from '../components/password-field';
import { PostForm } from '../components/post-form';
import { ApplicationField, ApplicationNote, UsernameField } from '../components/sign-up-fields';
import { useVisit } from '../components/visit-context';
import { ProviderLinks } from '../components/provider-links';
import { GuestUploadsNote } from '../guests/guest-uploads-note';
import type { FormProblem } from '../results/form-problem';
import { FormProblemNote } from '../components/form-problem-note';
import { Page } from '../results/page';
import { logInPath } from '../links/paths';

type SiteRules = AnswerOf<'getSite'>['data'];

export interface RegisterForm {
  readonly site: SiteRules;
  /** The code of an invite; empty if there is none. */
  readonly invite: string;
  /** What the applicant typed. */
  readonly application?: string;
  /** What was typed. */
  readonly username?: string;
  readonly email?: string;
  /** Path to which the visitor is sent afterwards. */
  readonly next: string;
  readonly problem?: FormProblem;
}

export const registerPage = (form: RegisterForm): Page =>
  new Page({
    title: 'Sign up',
    status: form.problem?.status ?? 200,
    head: { description: 'You only need a username and a password. An email address is optional.' },
    styles: ['account.css'],
    scripts: ['account.js'],
    // `next` may name the key of a private post; the form may contain an invite.
    secret: true,
    body: <Register {...form} />,
  });

const FIELDS = ['username', 'password', 'email', 'invite', 'application', 'proof_of_work'];

function Register(form: RegisterForm): JSX.Element {
  const { site, invite, application = '', username = '', email = '', next, problem } = form;
  const { visit } = useVisit();
  const needsProof = site.proof_of_work;
  const errors = problem?.errors ?? {};
  const { registration } = site;
  if (registration === 'closed')
    return <NoRegistration next={next}>This site does not accept new accounts.</NoRegistration>;
  if (registration === 'invite' && invite === '') {
    return (
      <NoRegistration next={next}>
        You need an invite to sign up here. Open your invite link, or ask a member for one.
      </NoRegistration>
    );
  }
  const applies = registration === 'approval' && invite === '';
  return (
    <div class="entrance">
      <h1>Sign up</h1>
      <p class="quiet">Sign up to vote, comment, follow people and keep all your uploads in one place.</p>
      {invite !== '' && <p class="callout good">You were invited. Choose a name and a password.</p>}
      {applies && <ApplicationNote />}
      <FormProblemNote problem={problem} fields={FIELDS} />
      <ProviderLinks providers={site.providers} next={next} invite={invite} label="Sign up with" />
      {needsProof && (
        <noscript>
          <p class="callout danger">
            To sign up here, turn on JavaScript. Your browser must solve a small puzzle that keeps spam
            programs out.
          </p>
        </noscript>
      )}
      {site.password_login && (
        <PostForm
          action="/register"
          number={problem?.number}
          class="card stack"
          {...(needsProof && { 'data-proof-of-work': applies ? 'apply' : 'register' })}
        >
          <UsernameField value={username} errors={errors['username']} autoFocus={username === ''} />
          <PasswordField
            label="Password"
            name="password"
            autoComplete="new-password"
            minLength={10}
            hint="At least 10 characters, not easy to guess. A short sentence works well."
            judged
            errors={errors['password']}
          />
          <Field
            label="Email (optional)"
            name="email"
            hint="Nobody else can see it. We send you a link to confirm the address, mails about the security of your account, and a link if you forget your password."
            errors={errors['email']}
          >
            {(control) => (
              <input
                {...control}
                type="email"
                value={email}
                autoComplete="email"
                maxLength={MAX_LENGTHS.email}
              />
            )}
          </Field>
          {visit.guestToken !== undefined && !applies && (
            <label class="check">
              <input type="checkbox" name="adopt" value="1" checked /> Take along what I uploaded here without
              an account
            </label>
          )}
          {applies && <ApplicationField value={application} errors={errors['application']} />}
          {errors['proof_of_work'] && <p class="error">{errors['proof_of_work'].join(' ')}</p>}
          {errors['invite'] && <p class="error">{errors['invite'].join(' ')}</p>}
          <LegalNote />
          <button class="button primary wide">{applies ? 'Apply' : 'Sign up'}</button>
          {needsProof && (
            <>
              <p class="small quiet" role="status" data-proof-status hidden />
              <input type="hidden" name="proof_of_work" value="" />
            </>
          )}
          {invite !== '' && <input type="hidden" name="invite" value={invite} />}
          <input type="hidden" name="next" value={next} />
        </PostForm>
      )}
      <p class="quiet">
        Already have an account? <a href={logInPath(next)}>Log in</a>
      </p>
    </div>
  );
}

/** The page for visitors who can't sign up. */
function NoRegistration(props: { readonly next: string; readonly children: ComponentChildren }): JSX.Element {
  return (
    <div class="entrance">
      <h1>Sign up</h1>
      <p class="callout">{props.children}</p>
      <p class="quiet">
        Already have an account? <a href={logInPath(props.next)}>Log in</a>
      </p>
      <GuestUploadsNote />
    </div>
  );
}

/** What people agree to when they sign up, if the operator has written it. */
function LegalNote(): JSX.Element | null {
  const pages = useVisit().operatorPages.filter(({ name }) => name !== 'about' && name !== 'contact');
  if (pages.length === 0) return null;
  return (
    <p class="small quiet">
      By signing up you accept:{' '}
      {pages.map(({ name, title }, at) => (
        <>
          {at > 0 && ', '}
          <a href={`/${name}`}>{title.toLowerCase()}</a>
        </>
      ))}
      .
    </p>
  );
}
