import { Controller, Get } from '@nestjs/common';
import type { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import type { Visit } from '../visits/visit';
import { adminPage } from './admin-frame';
import { SettingsPage } from './settings-page';

/** The settings in effect. */
@Controller('admin/settings')
export class SettingsController {
  @Get()
  async show(@CurrentVisit() visit: Visit): Promise<Page> {
    await visit.requireViewer();
    const settings = await visit.api.admin.settings();
    return adminPage({
      title: 'Settings in effect',
      path: '/admin/settings',
      body: <SettingsPage settings={settings} />,
    });
  }
}
