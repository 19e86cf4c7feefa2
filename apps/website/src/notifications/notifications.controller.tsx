import { Controller, Get, Param, Post } from '@nestjs/common';
import { NOTIFICATION_MAILS, OPTIONAL_NOTIFICATION_KINDS } from '@vitrine/contracts';
import { FormResult } from '../results/form-result';
import type { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import { fieldText, fieldTexts } from '../visits/form-fields';
import { ignoreNotFound } from '../visits/errors';
import { isView } from '@vitrine/runtime';
import { idOf, queryPage, queryText, wholeNumber } from '../visits/query-parameters';
import { safePath } from '../visits/safe-path';
import type { Visit } from '../visits/visit';
import { notificationSettingsPage } from './notification-settings-page';
import { notificationsPage } from './notifications-page';

/** Number of notifications on a page. */
const LIMIT = 30;
const PATH = '/notifications';

@Controller()
export class NotificationsController {
  @Get('notifications')
  async list(@CurrentVisit() visit: Visit): Promise<Page> {
    await visit.requireViewer();
    const page = queryPage(visit.request);
    return notificationsPage(await visit.api.me.notifications.list({ limit: LIMIT, page }), page);
  }

  @Post('notifications/read')
  async readAll(@CurrentVisit() visit: Visit): Promise<FormResult> {
    await visit.requireViewer();
    const upTo = wholeNumber(fieldText(visit, 'up_to'), 1);
    await visit.api.me.readNotifications(upTo === undefined ? {} : { upTo });
    visit.forgetViewer();
    return new FormResult({ goTo: PATH, notice: 'All notifications are marked as read.' });
  }

  @Post('notifications/:id/read')
  async read(@CurrentVisit() visit: Visit, @Param('id') id: string): Promise<FormResult> {
    await visit.requireViewer();
    await ignoreNotFound(visit.api.me.readNotification(idOf(id)));
    visit.forgetViewer();
    return new FormResult({ goTo: PATH });
  }

  /**
   * Leads to what a notification is about, and marks it as read. A GET request may do that: it changes only what its
   * sender sees. Other sites and prefetching browsers mark nothing.
   */
  @Get('notifications/:id')
  async open(@CurrentVisit() visit: Visit, @Param('id') id: string): Promise<FormResult> {
    await visit.requireViewer();
    const { request } = visit;
    if (isView(request) && request.get('Sec-Fetch-Site') !== 'cross-site') {
      await ignoreNotFound(visit.api.me.readNotification(idOf(id)));
      visit.forgetViewer();
    }
    return new FormResult({ goTo: safePath(queryText(request, 'to')) });
  }

  @Get('settings/notifications')
  async settings(@CurrentVisit() visit: Visit): Promise<Page> {
    await visit.requireViewer();
    return notificationSettingsPage(await visit.api.me.notificationSettings());
  }

  @Post('settings/notifications')
  async changeSettings(@CurrentVisit() visit: Visit): Promise<FormResult> {
    await visit.requireViewer();
    const wanted = fieldTexts(visit, 'kinds');
    const settings = OPTIONAL_NOTIFICATION_KINDS.map((kind) => [kind, wanted.includes(kind)]);
    const mail = NOTIFICATION_MAILS.find((often) => often === fieldText(visit, 'mail'));
    await visit.api.me.updateNotificationSettings({ ...Object.fromEntries(settings), ...(mail && { mail }) });
    return new FormResult({ goTo: '/settings/notifications', notice: 'Your settings are saved.' });
  }
}
