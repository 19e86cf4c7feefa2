import { Controller, Get, Param, Post } from '@nestjs/common';
import { type FormProblem, formProblemOf } from '../results/form-problem';
import { FormResult } from '../results/form-result';
import type { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import { typedProof } from '../visits/form-fields';
import { ignoreNotFound } from '../visits/errors';
import type { Visit } from '../visits/visit';
import { idOf } from '../visits/query-parameters';
import { endSessionPage } from './end-session-page';

/** Ends sessions on other devices, each after a proof. */
@Controller('settings/sessions')
export class SessionsController {
  @Get('end-others')
  confirmOthers(@CurrentVisit() visit: Visit): Promise<Page> {
    return this.page(visit, null);
  }

  @Post('end-others')
  async endOthers(@CurrentVisit() visit: Visit): Promise<Page | FormResult> {
    await visit.requireViewer();
    try {
      await visit.api.sessions.endOthers(typedProof(visit));
    } catch (error) {
      return await this.page(visit, null, formProblemOf(error, visit));
    }
    return new FormResult({ goTo: '/settings', notice: 'Your other devices were logged out.' });
  }

  @Get(':id/end')
  confirm(@CurrentVisit() visit: Visit, @Param('id') id: string): Promise<Page> {
    return this.page(visit, idOf(id));
  }

  @Post(':id/end')
  async end(@CurrentVisit() visit: Visit, @Param('id') id: string): Promise<Page | FormResult> {
    await visit.requireViewer();
    try {
      await ignoreNotFound(visit.api.sessions.end(idOf(id), typedProof(visit)));
    } catch (error) {
      return await this.page(visit, idOf(id), formProblemOf(error, visit));
    }
    return new FormResult({ goTo: '/settings', notice: 'The device was logged out.' });
  }

  private async page(visit: Visit, id: number | null, problem?: FormProblem): Promise<Page> {
    const { username } = await visit.requireViewer();
    const sessions = id === null ? [] : await visit.api.sessions.list();
    const device = sessions.find((session) => session.id === id)?.device ?? null;
    return endSessionPage({ username, id, device, problem });
  }
}
