import { Controller, Get, Post, Query } from '@nestjs/common';
import { formProblemOf } from '../results/form-problem';
import { heldForm } from '../interrupted-forms/interrupted-form';
import { logInForFormPage, unsentPage } from '../interrupted-forms/interrupted-page';
import { FormResult } from '../results/form-result';
import { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import { endSession, exchangeSession } from '../visits/exchange-session';
import { fieldLines, fieldText } from '../visits/form-fields';
import { safePath } from '../visits/safe-path';
import type { Visit } from '../visits/visit';
import { appliedPage } from './applied-page';
import { loggedOutPage } from './logged-out-page';
import { logInPage } from './log-in-page';
import { registerPage } from './register-page';

@Controller()
export class AccountsController {
  @Get('login')
  async showLogIn(@CurrentVisit() visit: Visit, @Query('next') next: unknown): Promise<Page | FormResult> {
    if (await visit.viewer()) return new FormResult({ goTo: safePath(next) });
    return logInPage({ next: safePath(next), site: await visit.api.site() });
  }

  @Post('login')
  async logIn(@CurrentVisit() visit: Visit): Promise<Page | FormResult> {
    const typed = { login: fieldText(visit, 'login').trim(), next: safePath(fieldText(visit, 'next')) };
    const held = heldForm(visit);
    try {
      // Without the visitor's session, which may be someone else's. Without an idempotency key: each login opens a new
      // session.
      const { session, user } = await visit
        .apiWith(undefined)
        .auth.login({ login: typed.login, password: fieldText(visit, 'password') });
      await exchangeSession(visit, session);
      if (held) return new Page(unsentPage(held, { reason: `You are logged in as ${user.username}.` }));
      return new FormResult({ goTo: typed.next, notice: `Welcome back, ${user.username}.` });
    } catch (error) {
      const problem = formProblemOf(error, visit);
      if (held) {
        const { login } = typed;
        const { status } = problem;
        return new Page(logInForFormPage(held, { hasSessionEnded: false, login, problem, status }));
      }
      return logInPage({ ...typed, site: await visit.api.site(), problem });
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
    const account = { username, password: fieldText(visit, 'password'), ...(email !== '' && { email }) };
    // If the form is sent twice, the second request must not fail because the first one took the name.
    const options = { idempotencyKey: visit.idempotencyKey };
    const { auth } = visit.apiWith(undefined);
    try {
      if (site.registration === 'approval' && invite === '') {
        await auth.apply({ ...account, application }, options);
        return appliedPage(username);
      }
      const { session } = await auth.register({ ...account, ...(invite !== '' && { invite }) }, options);
      await exchangeSession(visit, session);
      return new FormResult({ goTo: typed.next, notice: `Welcome, ${username}! Your account is ready.` });
    } catch (error) {
      return registerPage({ ...typed, site, problem: formProblemOf(error, visit) });
    }
  }

  @Post('logout')
  async logOut(@CurrentVisit() visit: Visit): Promise<Page | FormResult> {
    const providerUrl = visit.hasSession ? await endSession(visit) : null;
    visit.clearSession();
    if (providerUrl !== null && !visit.wantsJson) return loggedOutPage(providerUrl);
    return new FormResult({ goTo: '/', notice: 'You have logged out.' });
  }
}
