import { Controller, Get } from '@nestjs/common';
import type { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import type { Visit } from '../visits/visit';
import { adminPage } from './admin-frame';
import { StoragePage } from './storage-page';

/** The use of the storage. */
@Controller('admin/storage')
export class StorageController {
  @Get()
  async show(@CurrentVisit() visit: Visit): Promise<Page> {
    await visit.requireViewer();
    const stored = await visit.api.admin.storage();
    return adminPage({ title: 'Storage', path: '/admin/storage', body: <StoragePage stored={stored} /> });
  }
}
