import { Controller, Get, Param, Post } from '@nestjs/common';
import { BANNED_HASH_KINDS } from '@vitrine/contracts';
import { type FormProblem, formProblemOf, invalidFormError } from '../results/form-problem';
import { FormResult } from '../results/form-result';
import type { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import { fieldText } from '../visits/form-fields';
import { queryPage, idOf } from '../visits/query-parameters';
import { ignoreNotFound } from '../visits/errors';
import type { Visit } from '../visits/visit';
import { HashesPage, type TypedHash } from './hashes-page';
import { moderationPage } from './moderation-frame';

const HASHES_PAGE = 50;

/** Bans of files and pictures. */
@Controller('moderation/hashes')
export class HashesController {
  @Get()
  async list(@CurrentVisit() visit: Visit): Promise<Page> {
    await visit.requireViewer();
    return this.page(visit, queryPage(visit.request));
  }

  @Post()
  async ban(@CurrentVisit() visit: Visit): Promise<FormResult | Page> {
    await visit.requireViewer();
    const typed = {
      hash: fieldText(visit, 'hash').trim(),
      kind: fieldText(visit, 'kind'),
      reason: fieldText(visit, 'reason').trim(),
    };
    try {
      const kind = BANNED_HASH_KINDS.find((known) => known === typed.kind);
      if (kind === undefined) throw invalidFormError({ kind: ['Choose one of the two kinds.'] });
      if (typed.reason === '')
        throw invalidFormError({ reason: ['Give a reason for the other moderators.'] });
      await visit.api.moderation.hashes.ban({ ...typed, kind }, { idempotencyKey: visit.idempotencyKey });
    } catch (error) {
      return await this.page(visit, 1, typed, formProblemOf(error, visit));
    }
    return new FormResult({ goTo: '/moderation/hashes', notice: 'The hash was banned.' });
  }

  @Post(':id/unban')
  async unban(@CurrentVisit() visit: Visit, @Param('id') id: string): Promise<FormResult> {
    await visit.requireViewer();
    await ignoreNotFound(visit.api.moderation.hashes.unban(idOf(id)));
    return new FormResult({ goTo: '/moderation/hashes', notice: 'The ban was lifted.' });
  }

  private async page(visit: Visit, page: number, typed?: TypedHash, problem?: FormProblem): Promise<Page> {
    const hashes = await visit.api.moderation.hashes.list({ limit: HASHES_PAGE, page });
    return moderationPage({
      title: 'Bans',
      path: '/moderation/hashes',
      status: problem?.status ?? 200,
      body: <HashesPage hashes={hashes} path={visit.path} typed={typed} problem={problem} />,
    });
  }
}
