import { Controller, Get, Post, Query } from '@nestjs/common';
import { VitrineError } from '@vitrine/client';
import { formTroubleOf } from '../rendering/form-trouble';
import { heldForm } from '../rendering/interrupted-form';
import { logInForFormPage, unsentPage } from '../rendering/interrupted-page';
import { Outcome, Page } from '../rendering/page';
import { CurrentVisit } from '../visits/current-visit';
import { fieldText } from '../visits/form-fields';
import { safePath } from '../visits/safe-path';
import type { Visit } from '../visits/visit';
import { logInPage } from './log-in-page';
import { registerPage } from './register-page';

@Controller()
export class AccountsController {
  @Get('login')
  async showLogIn(@CurrentVisit() visit: Visit, @Query('next') next: unknown): Promise<Page | Outcome> {
    if (await visit.viewer()) return new Outcome({ goTo: safePath(next) });
    return logInPage({ next: safePath(next) });
  }

  @Post('login')
  async logIn(@CurrentVisit() visit: Visit): Promise<Page | Outcome> {
    const typed = { login: fieldText(visit, 'login').trim(), next: safePath(fieldText(visit, 'next')) };
    const held = heldForm(visit);
    try {
      // As nobody: whoever is logged in here may be somebody else. Without a key: each time opens a session of its own.
      const { session, user } = await visit
        .apiWith(undefined)
        .auth.login({ login: typed.login, password: fieldText(visit, 'password') });
      await this.exchangeSession(visit, session);
      if (held) return new Page(unsentPage(held, { reason: `You are logged in as ${user.username}.` }));
      return new Outcome({ goTo: typed.next, notice: `Welcome back, ${user.username}.` });
    } catch (error) {
      const trouble = formTroubleOf(error, visit);
      if (held) {
        const { login } = typed;
        const { status } = trouble;
        return new Page(logInForFormPage(held, { hasSessionEnded: false, login, trouble, status }));
      }
      return logInPage({ ...typed, trouble });
    }
  }

  @Get('register')
  async showRegister(@CurrentVisit() visit: Visit, @Query('next') next: unknown): Promise<Page | Outcome> {
    if (await visit.viewer()) return new Outcome({ goTo: safePath(next) });
    return registerPage({ next: safePath(next) });
  }

  @Post('register')
  async register(@CurrentVisit() visit: Visit): Promise<Page | Outcome> {
    const typed = {
      username: fieldText(visit, 'username').trim(),
      email: fieldText(visit, 'email').trim(),
      next: safePath(fieldText(visit, 'next')),
    };
    const { username, email } = typed;
    try {
      const { session } = await visit.apiWith(undefined).auth.register(
        { username, password: fieldText(visit, 'password'), ...(email !== '' && { email }) },
        // Sent twice at once, the second would find the name taken by the first.
        { idempotencyKey: visit.idempotencyKey },
      );
      await this.exchangeSession(visit, session);
      return new Outcome({ goTo: typed.next, notice: `Welcome, ${username}. The account is yours.` });
    } catch (error) {
      return registerPage({ ...typed, trouble: formTroubleOf(error, visit) });
    }
  }

  @Post('logout')
  async logOut(@CurrentVisit() visit: Visit): Promise<Outcome> {
    if (visit.hasSession) await endSession(visit);
    visit.dropSession();
    return new Outcome({ goTo: '/', notice: 'You are logged out.' });
  }

  /** The session that this browser had before ends; where that fails, it is still in its account's list to be ended. */
  private async exchangeSession(visit: Visit, session: string): Promise<void> {
    if (visit.hasSession) await endSession(visit).catch(() => undefined);
    visit.beginSession(session);
  }
}

/** Ends the visitor's session. One that had ended already is as good. */
async function endSession(visit: Visit): Promise<void> {
  try {
    await visit.api.auth.logout();
  } catch (error) {
    if (!(error instanceof VitrineError && error.code === 'unauthenticated')) throw error;
  }
}
