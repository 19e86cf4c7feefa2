import { Controller, Get, NotFoundException, Post, Query } from '@nestjs/common';
import { SecondFactorRequiredError } from '@vitrine/client';
import { PROOF_PURPOSES } from '@vitrine/contracts';
import { formProblemOf } from '../results/form-problem';
import { heldForm } from '../interrupted-forms/interrupted-form';
import { logInForFormPage } from '../interrupted-forms/interrupted-page';
import { FormResult } from '../results/form-result';
import { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import { adoptGuest } from '../guests/adopt-guest';
import { endSession, exchangeSession } from '../visits/exchange-session';
import { fieldLines, fieldText } from '../visits/form-fields';
import { safePath } from '../visits/safe-path';
import type { Visit } from '../visits/visit';
import { deviceOf, enter, findLogInRules } from './entering';
import { appliedPage, loggedOutPage } from './outcome-pages';
import { logInPage } from './log-in-page';
import { secondFactorPage } from './second-factor-page';
import { registerPage } from './register-page';

@Controller()
export class AccountsController {
  @Get('login')
  async showLogIn(@CurrentVisit() visit: Visit, @Query('next') next: unknown): Promise<Page | FormResult> {
    if (await visit.viewer()) return new FormResult({ goTo: safePath(next) });
    return logInPage({ next: safePath(next), rules: await findLogInRules(visit) });
  }

  @Post('login')
  async logIn(@CurrentVisit() visit: Visit): Promise<Page | FormResult> {
    const typed = { login: fieldText(visit, 'login').trim(), next: safePath(fieldText(visit, 'next')) };
    const held = heldForm(visit);
    try {
      // Without the visitor's session, which may be someone else's. Without an idempotency key: each login opens a new
      // session.
      const opened = await visit.apiWith(undefined).auth.login({
        login: typed.login,
        password: fieldText(visit, 'password'),
        ...deviceOf(visit),
      });
      return await enter(visit, opened, typed.next, held);
    } catch (error) {
      if (error instanceof SecondFactorRequiredError) {
        const { pendingLogin, accepted } = error;
        return secondFactorPage({ pendingLogin, accepted, next: typed.next, held });
      }
      const problem = formProblemOf(error, visit);
      if (held) {
        const { login } = typed;
        const { status } = problem;
        return new Page(logInForFormPage(held, { hasSessionEnded: false, login, problem, status }));
      }
      return logInPage({ ...typed, rules: await findLogInRules(visit), problem });
    }
  }

  @Get('register')
  async showRegister(
    @CurrentVisit() visit: Visit,
    @Query('next') next: unknown,
    @Query('invite') invite: unknown,
  ): Promise<Page | FormResult> {
    if (await visit.viewer()) return new FormResult({ goTo: safePath(next) });
    return registerPage({
      site: await visit.api.site(),
      invite: typeof invite === 'string' ? invite : '',
      next: safePath(next),
    });
  }

  @Post('register')
  async register(@CurrentVisit() visit: Visit): Promise<Page | FormResult> {
    const typed = {
      username: fieldText(visit, 'username').trim(),
      email: fieldText(visit, 'email').trim(),
      invite: fieldText(visit, 'invite').trim(),
      application: fieldLines(visit, 'application').trim(),
      next: safePath(fieldText(visit, 'next')),
    };
    const { username, email, invite, application } = typed;
    const site = await visit.api.site();
    const proof = fieldText(visit, 'proof_of_work');
    const account = {
      username,
      password: fieldText(visit, 'password'),
      ...(email !== '' && { email }),
      ...(proof !== '' && { proof_of_work: proof }),
    };
    // If the form is sent twice, the second request must not fail because the first one took the name.
    const options = { idempotencyKey: visit.idempotencyKey };
    const { auth } = visit.apiWith(undefined);
    try {
      if (site.registration === 'approval' && invite === '') {
        await auth.apply({ ...account, application }, options);
        return appliedPage(username);
      }
      const opened = await auth.register(
        { ...account, ...(invite !== '' && { invite }), ...deviceOf(visit) },
        options,
      );
      await exchangeSession(visit, opened);
      const moved =
        fieldText(visit, 'adopt') === '' ? '' : await adoptGuest(visit, visit.apiWith(opened.session));
      return new FormResult({
        goTo: typed.next,
        notice: `Welcome, ${username}! Your account is ready. ${moved}`.trim(),
      });
    } catch (error) {
      return registerPage({ ...typed, site, problem: formProblemOf(error, visit) });
    }
  }

  /** A challenge for a script of a page. */
  @Get('proof-of-work')
  async challenge(@CurrentVisit() visit: Visit, @Query('purpose') purpose: unknown): Promise<object> {
    visit.response.set('Cache-Control', 'no-store');
    const known = PROOF_PURPOSES.find((each) => each === purpose);
    if (!known) throw new NotFoundException();
    return visit.apiWith(undefined).auth.proofOfWork(known);
  }

  @Post('logout')
  async logOut(@CurrentVisit() visit: Visit): Promise<Page | FormResult> {
    const providerUrl = visit.hasSession ? await endSession(visit) : null;
    visit.clearSession();
    if (providerUrl !== null && !visit.wantsJson) return loggedOutPage(providerUrl);
    return new FormResult({ goTo: '/', notice: 'You have logged out.' });
  }
}
