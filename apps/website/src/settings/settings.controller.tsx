import { Controller, Get, Param, Post, Redirect } from '@nestjs/common';
import { formTroubleOf } from '../rendering/form-trouble';
import { Outcome, type Page } from '../rendering/page';
import { CurrentVisit } from '../visits/current-visit';
import { fieldLines, fieldText } from '../visits/form-fields';
import { unlessGone } from '../visits/unless-gone';
import type { Visit } from '../visits/visit';
import { idOf } from '../visits/whole-numbers';
import { deleteAccountPage } from './delete-account-page';
import { settingsPage, type SettingsProps } from './settings-page';

@Controller('settings')
export class SettingsController {
  @Get()
  show(@CurrentVisit() visit: Visit): Promise<Page> {
    return this.page(visit);
  }

  /** Where a form's address is asked for as a page: after its errors were shown there, say. */
  @Get(['profile', 'email', 'password'])
  @Redirect('/settings', 303)
  showForm(): void {
    // The redirect is all there is to it.
  }

  @Post('profile')
  async changeProfile(@CurrentVisit() visit: Visit): Promise<Page | Outcome> {
    await visit.requireViewer();
    const typed = fieldLines(visit, 'bio').trim();
    try {
      await visit.api.me.update({ bio: orNull(typed) });
    } catch (error) {
      return this.page(visit, { form: 'profile', typed, trouble: formTroubleOf(error, visit) });
    }
    visit.forgetViewer();
    return new Outcome({ goTo: '/settings', notice: 'Saved.' });
  }

  @Post('email')
  async changeEmail(@CurrentVisit() visit: Visit): Promise<Page | Outcome> {
    await visit.requireViewer();
    const typed = fieldText(visit, 'email').trim();
    try {
      const current_password = fieldText(visit, 'current_password');
      await visit.api.me.update({ email: orNull(typed), current_password });
    } catch (error) {
      return this.page(visit, { form: 'email', typed, trouble: formTroubleOf(error, visit) });
    }
    visit.forgetViewer();
    return new Outcome({ goTo: '/settings', notice: 'Your e-mail address is saved.' });
  }

  @Post('password')
  async changePassword(@CurrentVisit() visit: Visit): Promise<Page | Outcome> {
    await visit.requireViewer();
    const keepsTokens = fieldText(visit, 'keep_tokens') !== '';
    try {
      await visit.api.me.changePassword(
        {
          current_password: fieldText(visit, 'current_password'),
          password: fieldText(visit, 'password'),
          keep_tokens: keepsTokens,
        },
        { idempotencyKey: visit.idempotencyKey },
      );
    } catch (error) {
      return this.page(visit, { form: 'password', trouble: formTroubleOf(error, visit) });
    }
    const ended = keepsTokens ? '' : ' Your API tokens have ended.';
    const notice = `Your password is changed. You are logged out everywhere else.${ended}`;
    return new Outcome({ goTo: '/settings', notice });
  }

  @Post('sessions/end-others')
  async endOtherSessions(@CurrentVisit() visit: Visit): Promise<Outcome> {
    await visit.requireViewer();
    await visit.api.sessions.endOthers();
    return new Outcome({ goTo: '/settings', notice: 'You are logged out everywhere else.' });
  }

  @Post('sessions/:id/end')
  async endSession(@CurrentVisit() visit: Visit, @Param('id') id: string): Promise<Outcome> {
    await visit.requireViewer();
    await unlessGone(visit.api.sessions.end(idOf(id)));
    return new Outcome({ goTo: '/settings', notice: 'That session is over.' });
  }

  @Get('delete')
  async showDeletion(@CurrentVisit() visit: Visit): Promise<Page> {
    visit.forgetViewer();
    return deleteAccountPage({ account: await visit.requireViewer() });
  }

  @Post('delete')
  async delete(@CurrentVisit() visit: Visit): Promise<Page | Outcome> {
    const account = await visit.requireViewer();
    try {
      await visit.api.me.delete({ password: fieldText(visit, 'password') });
    } catch (error) {
      return deleteAccountPage({ account, trouble: formTroubleOf(error, visit) });
    }
    visit.dropSession();
    return new Outcome({ goTo: '/', notice: 'Your account is deleted. Thank you for having been here.' });
  }

  private async page(visit: Visit, refused?: SettingsProps['refused']): Promise<Page> {
    // What it shows is changed here: a name of some seconds ago won't do.
    visit.forgetViewer();
    const [account, sessions] = await Promise.all([visit.requireViewer(), visit.api.sessions.list()]);
    return settingsPage({ account, sessions, ...(refused && { refused }) });
  }
}

const orNull = (text: string): string | null => (text === '' ? null : text);
