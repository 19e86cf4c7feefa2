import { Controller, Get, Post } from '@nestjs/common';
import { FormResult } from '../results/form-result';
import type { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import { fieldText } from '../visits/form-fields';
import type { Visit } from '../visits/visit';
import { adminPage } from './admin-frame';
import { WorkPage } from './work-page';

const PATH = '/admin/work';

/** What the processes have to do, and the dead letters. */
@Controller('admin/work')
export class WorkController {
  @Get()
  async show(@CurrentVisit() visit: Visit): Promise<Page> {
    await visit.requireViewer();
    const work = await visit.api.admin.work();
    return adminPage({ title: 'Work', path: PATH, body: <WorkPage work={work} /> });
  }

  @Post('replay')
  async replay(@CurrentVisit() visit: Visit): Promise<FormResult> {
    await visit.requireViewer();
    const queue = fieldText(visit, 'queue');
    const id = fieldText(visit, 'id');
    await visit.api.admin.replayDeadLetters(
      { queue, ...(id !== '' && { id }) },
      { idempotencyKey: visit.idempotencyKey },
    );
    return new FormResult({ goTo: PATH, notice: 'The dead letters will be tried again in some seconds.' });
  }
}
