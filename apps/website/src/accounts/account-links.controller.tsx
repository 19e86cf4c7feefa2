import { Controller, Get, Post, Query } from '@nestjs/common';
import { formProblemOf } from '../results/form-problem';
import { FormResult } from '../results/form-result';
import type { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import { fieldText } from '../visits/form-fields';
import type { Visit } from '../visits/visit';
import { forgotPasswordPage, resetRequestedPage } from './forgot-password-page';
import { resetPasswordPage, verifyEmailPage } from './link-pages';

/** Forgotten passwords, and the pages of the links in mails. They work without a session, and don't use it. */
@Controller()
export class AccountLinksController {
  @Get('forgot-password')
  async showRequest(@CurrentVisit() visit: Visit): Promise<Page> {
    const { sends_mail: sendsMail } = await visit.api.site();
    return forgotPasswordPage({ sendsMail });
  }

  @Post('forgot-password')
  async request(@CurrentVisit() visit: Visit): Promise<Page> {
    const login = fieldText(visit, 'login').trim();
    const { sends_mail: sendsMail } = await visit.api.site();
    if (!sendsMail) return forgotPasswordPage({ sendsMail });
    try {
      const options = { idempotencyKey: visit.idempotencyKey };
      await visit.apiWith(undefined).auth.requestPasswordReset({ login }, options);
      return resetRequestedPage();
    } catch (error) {
      return forgotPasswordPage({ sendsMail, login, problem: formProblemOf(error, visit) });
    }
  }

  @Get('reset-password')
  showReset(@Query('code') code: unknown): Page {
    return resetPasswordPage({ code: textOf(code) });
  }

  @Post('reset-password')
  async reset(@CurrentVisit() visit: Visit): Promise<Page | FormResult> {
    const code = fieldText(visit, 'code').trim();
    const body = { code, password: fieldText(visit, 'password') };
    try {
      const options = { idempotencyKey: visit.idempotencyKey };
      await visit.apiWith(undefined).auth.completePasswordReset(body, options);
    } catch (error) {
      return resetPasswordPage({ code, problem: formProblemOf(error, visit) });
    }
    return new FormResult({ goTo: '/login', notice: 'Your password was set. Log in with it.' });
  }

  @Get('verify-email')
  showVerification(@Query('code') code: unknown): Page {
    return verifyEmailPage({ code: textOf(code) });
  }

  @Post('verify-email')
  async verify(@CurrentVisit() visit: Visit): Promise<Page | FormResult> {
    const code = fieldText(visit, 'code').trim();
    try {
      const options = { idempotencyKey: visit.idempotencyKey };
      await visit.apiWith(undefined).auth.verifyEmail({ code }, options);
    } catch (error) {
      return verifyEmailPage({ code, problem: formProblemOf(error, visit) });
    }
    visit.forgetViewer();
    return new FormResult({ goTo: '/', notice: 'Your email address was confirmed.' });
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
