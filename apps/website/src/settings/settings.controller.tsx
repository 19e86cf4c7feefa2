import { Controller, Get, Post, Redirect } from '@nestjs/common';
import { formProblemOf } from '../results/form-problem';
import { FormResult } from '../results/form-result';
import type { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import { fieldLines, fieldText, typedPassword } from '../visits/form-fields';
import type { Visit } from '../visits/visit';
import { deleteAccountPage } from './delete-account-page';
import { settingsPage, type SettingsProps } from './settings-page';

@Controller('settings')
export class SettingsController {
  @Get()
  show(@CurrentVisit() visit: Visit): Promise<Page> {
    return this.page(visit);
  }

  /** Redirects a GET of a form's address, for example a reload after errors were shown there. */
  @Get(['profile', 'email', 'email/verification', 'password'])
  @Redirect('/settings', 303)
  showForm(): void {}

  @Post('profile')
  async changeProfile(@CurrentVisit() visit: Visit): Promise<Page | FormResult> {
    await visit.requireViewer();
    const typed = fieldLines(visit, 'bio').trim();
    try {
      await visit.api.me.update({ bio: orNull(typed) });
    } catch (error) {
      return this.page(visit, { form: 'profile', typed, problem: formProblemOf(error, visit) });
    }
    visit.forgetViewer();
    return new FormResult({ goTo: '/settings', notice: 'Your profile was saved.' });
  }

  @Post('email')
  async changeEmail(@CurrentVisit() visit: Visit): Promise<Page | FormResult> {
    await visit.requireViewer();
    const typed = fieldText(visit, 'email').trim();
    try {
      const proof = typedPassword(visit, 'current_password');
      await visit.api.me.update({ email: orNull(typed), ...proof });
    } catch (error) {
      return this.page(visit, { form: 'email', typed, problem: formProblemOf(error, visit) });
    }
    visit.forgetViewer();
    return new FormResult({ goTo: '/settings', notice: 'Your email address was saved.' });
  }

  @Post('email/verification')
  async sendEmailVerification(@CurrentVisit() visit: Visit): Promise<Page | FormResult> {
    const { email } = await visit.requireViewer();
    try {
      await visit.api.me.sendEmailVerification({ idempotencyKey: visit.idempotencyKey });
    } catch (error) {
      const problem = formProblemOf(error, visit);
      return this.page(visit, { form: 'email', typed: email ?? '', problem });
    }
    return new FormResult({ goTo: '/settings', notice: `The link will be sent to ${email}.` });
  }

  @Post('password')
  async changePassword(@CurrentVisit() visit: Visit): Promise<Page | FormResult> {
    await visit.requireViewer();
    const keepsTokens = fieldText(visit, 'keep_tokens') !== '';
    try {
      await visit.api.me.changePassword(
        {
          ...typedPassword(visit, 'current_password'),
          password: fieldText(visit, 'password'),
          keep_tokens: keepsTokens,
        },
        { idempotencyKey: visit.idempotencyKey },
      );
    } catch (error) {
      return this.page(visit, { form: 'password', problem: formProblemOf(error, visit) });
    }
    const ended = keepsTokens ? '' : ' Your API tokens were revoked, and your webhooks were disabled.';
    const notice = `Your password was changed. Your other devices were logged out.${ended}`;
    return new FormResult({ goTo: '/settings', notice });
  }

  @Get('delete')
  async showDeletion(@CurrentVisit() visit: Visit): Promise<Page> {
    visit.forgetViewer();
    return deleteAccountPage({ account: await visit.requireViewer() });
  }

  @Post('delete')
  async delete(@CurrentVisit() visit: Visit): Promise<Page | FormResult> {
    const account = await visit.requireViewer();
    try {
      await visit.api.me.delete(typedPassword(visit, 'password'));
    } catch (error) {
      return deleteAccountPage({ account, problem: formProblemOf(error, visit) });
    }
    visit.clearSession();
    return new FormResult({ goTo: '/', notice: 'Your account was deleted.' });
  }

  private async page(visit: Visit, refused?: SettingsProps['refused']): Promise<Page> {
    // The page edits these values, so it needs the current account and not a cached one.
    visit.forgetViewer();
    const [account, sessions, site] = await Promise.all([
      visit.requireViewer(),
      visit.api.sessions.list(),
      visit.api.site(),
    ]);
    const invites = site.invites_by === 'members' || account.role !== 'user';
    return settingsPage({ account, sessions, invites, site, ...(refused && { refused }) });
  }
}

const orNull = (text: string): string | null => (text === '' ? null : text);
