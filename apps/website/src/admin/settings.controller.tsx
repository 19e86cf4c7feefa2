import { hostname } from 'node:os';
import { Controller, Get } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { settingsInEffect } from '@vitrine/runtime';
import type { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import type { Visit } from '../visits/visit';
import { adminPage } from './admin-frame';
import { SettingsPage } from './settings-page';

/** The settings in effect. */
@Controller('admin/settings')
export class SettingsController {
  constructor(private readonly discovery: DiscoveryService) {}

  @Get()
  async show(@CurrentVisit() visit: Visit): Promise<Page> {
    await visit.requireViewer();
    const settings = await visit.api.admin.settings();
    // This process has no database to report to, so it shows its own settings itself.
    const instances = [`${hostname()}/${process.pid}`];
    const own = settingsInEffect(this.discovery).map((one) => ({ process: 'website', instances, ...one }));
    return adminPage({
      title: 'Settings in effect',
      path: '/admin/settings',
      body: <SettingsPage settings={[...settings, ...own]} />,
    });
  }
}
