import type { AnswerOf } from '@vitrine/client';
import type { JSX } from 'preact';
import { FormProblemNote } from '../components/form-problem-note';
import { PostForm } from '../components/post-form';
import { ApplicationField, ApplicationNote, UsernameField } from '../components/sign-up-fields';
import type { FormProblem } from '../results/form-problem';
import { Page } from '../results/page';

export interface NewcomerForm {
  readonly provider: { readonly name: string; readonly title: string };
  readonly site: AnswerOf<'getSite'>['data'];
  /** The code of an invite; empty if there is none. */
  readonly invite: string;
  /** What the provider suggests, or what was typed. */
  readonly username: string;
  readonly application?: string;
  readonly problem?: FormProblem;
}

/** The page on which people whom a provider has proved choose a username. */
export const newcomerPage = (form: NewcomerForm): Page =>
  new Page({
    title: 'Choose a username',
    status: form.problem?.status ?? 200,
    head: { robots: 'noindex' },
    styles: ['account.css'],
    secret: true,
    body: <Newcomer {...form} />,
  });

function Newcomer({ provider, site, invite, username, application, problem }: NewcomerForm): JSX.Element {
  const errors = problem?.errors ?? {};
  const applies = site.registration === 'approval' && invite === '';
  return (
    <div class="entrance">
      <h1>Choose a username</h1>
      <p class="quiet">
        No account here is linked with your {provider.title} account yet. Create one: you only need to choose
        a name.
      </p>
      {applies && <ApplicationNote />}
      {site.registration === 'invite' && invite === '' && (
        <p class="callout">You need an invite to sign up here. Open your invite link, then try again.</p>
      )}
      <FormProblemNote problem={problem} fields={['username', 'application']} />
      <PostForm action={`/log-in/${provider.name}/account`} number={problem?.number} class="card stack">
        <UsernameField value={username} errors={errors['username']} />
        {applies && <ApplicationField value={application ?? ''} errors={errors['application']} />}
        <button class="button primary wide">{applies ? 'Apply' : 'Create account'}</button>
      </PostForm>
      <p class="quiet">
        Do you have an account here already? <a href="/login">Log in to it</a>, then link {provider.title} in
        your settings.
      </p>
    </div>
  );
}
