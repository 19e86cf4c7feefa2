import { Controller, Get, Post, Redirect } from '@nestjs/common';
import { heldForm } from '../interrupted-forms/interrupted-form';
import { formProblemOf } from '../results/form-problem';
import { FormResult } from '../results/form-result';
import type { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import { fieldText, passkeyFields } from '../visits/form-fields';
import { safePath } from '../visits/safe-path';
import type { Visit } from '../visits/visit';
import { deviceOf, enter, findLogInRules } from './entering';
import { logInPage } from './log-in-page';
import { type Accepted, secondFactorPage } from './second-factor-page';

/** The second step of a login, and logins with a passkey alone. */
@Controller('login')
export class SecondFactorController {
  /** Redirects a GET of a form's address. The second step exists only after the first. */
  @Get(['second-factor', 'passkey'])
  @Redirect('/login', 303)
  showForm(): void {}

  @Post('second-factor')
  async complete(@CurrentVisit() visit: Visit): Promise<Page | FormResult> {
    const pendingLogin = fieldText(visit, 'pending_login');
    const next = safePath(fieldText(visit, 'next'));
    const held = heldForm(visit);
    const code = fieldText(visit, 'code').trim();
    try {
      const opened = await visit.apiWith(undefined).auth.completeLogin({
        pending_login: pendingLogin,
        ...(passkeyFields(visit) ?? { code }),
        ...deviceOf(visit),
      });
      return await enter(visit, opened, next, held);
    } catch (error) {
      const problem = formProblemOf(error, visit);
      if (problem.errors['pending_login']) {
        return logInPage({
          rules: await findLogInRules(visit),
          next,
          problem: { ...problem, errors: { pending: problem.errors['pending_login'] } },
        });
      }
      const accepted = fieldText(visit, 'accepted').split(',').filter(isAccepted);
      return secondFactorPage({ pendingLogin, accepted, next, held, problem });
    }
  }

  /** For the page's script. */
  @Post('second-factor/options')
  async secondFactorOptions(@CurrentVisit() visit: Visit): Promise<FormResult> {
    const pending_login = fieldText(visit, 'pending_login');
    const { options } = await visit.apiWith(undefined).auth.secondFactorOptions({ pending_login });
    return new FormResult({ goTo: '/login', data: { options } });
  }

  @Post('passkey')
  async logInWithPasskey(@CurrentVisit() visit: Visit): Promise<Page | FormResult> {
    const next = safePath(fieldText(visit, 'next'));
    try {
      const passkey = passkeyFields(visit);
      if (!passkey) return new FormResult({ goTo: '/login' });
      const opened = await visit.apiWith(undefined).auth.loginWithPasskey({ ...passkey, ...deviceOf(visit) });
      return await enter(visit, opened, next, null);
    } catch (error) {
      return logInPage({ rules: await findLogInRules(visit), next, problem: formProblemOf(error, visit) });
    }
  }

  /** For the page's script. */
  @Post('passkey/options')
  async passkeyOptions(@CurrentVisit() visit: Visit): Promise<FormResult> {
    const { options } = await visit.apiWith(undefined).auth.passkeyOptions();
    return new FormResult({ goTo: '/login', data: { options } });
  }
}

const isAccepted = (text: string): text is Accepted => ['app', 'passkey', 'recovery-code'].includes(text);
