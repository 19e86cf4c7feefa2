import { Controller, Get, Param, Post } from '@nestjs/common';
import { BANNED_HASH_KINDS } from '@vitrine/contracts';
import { type FormTrouble, formTroubleOf, refusal } from '../rendering/form-trouble';
import { Outcome, type Page } from '../rendering/page';
import { CurrentVisit } from '../visits/current-visit';
import { fieldText } from '../visits/form-fields';
import { queryPage } from '../visits/query-parameters';
import { unlessGone } from '../visits/unless-gone';
import type { Visit } from '../visits/visit';
import { idOf } from '../visits/whole-numbers';
import { HashesPage, type TypedHash } from './hashes-page';
import { moderationPage } from './moderation-frame';

const HASHES_PAGE = 50;

/** Files and pictures that must not be hosted. */
@Controller('moderation/hashes')
export class HashesController {
  @Get()
  async list(@CurrentVisit() visit: Visit): Promise<Page> {
    await visit.requireViewer();
    return this.page(visit, queryPage(visit.request));
  }

  @Post()
  async ban(@CurrentVisit() visit: Visit): Promise<Outcome | Page> {
    await visit.requireViewer();
    const typed = {
      hash: fieldText(visit, 'hash').trim(),
      kind: fieldText(visit, 'kind'),
      reason: fieldText(visit, 'reason').trim(),
    };
    try {
      const kind = BANNED_HASH_KINDS.find((known) => known === typed.kind);
      if (kind === undefined) throw refusal({ kind: ['Choose one of the two kinds.'] });
      if (typed.reason === '') throw refusal({ reason: ['Say why, for the other moderators.'] });
      await visit.api.moderation.hashes.ban({ ...typed, kind }, { idempotencyKey: visit.idempotencyKey });
    } catch (error) {
      return await this.page(visit, 1, typed, formTroubleOf(error, visit));
    }
    return new Outcome({ goTo: '/moderation/hashes', notice: 'Banned.' });
  }

  @Post(':id/unban')
  async unban(@CurrentVisit() visit: Visit, @Param('id') id: string): Promise<Outcome> {
    await visit.requireViewer();
    await unlessGone(visit.api.moderation.hashes.unban(idOf(id)));
    return new Outcome({ goTo: '/moderation/hashes', notice: 'The ban is lifted.' });
  }

  private async page(visit: Visit, page: number, typed?: TypedHash, trouble?: FormTrouble): Promise<Page> {
    const hashes = await visit.api.moderation.hashes.list({ limit: HASHES_PAGE, page });
    return moderationPage({
      title: 'Bans',
      path: '/moderation/hashes',
      status: trouble?.status ?? 200,
      body: <HashesPage hashes={hashes} path={visit.path} typed={typed} trouble={trouble} />,
    });
  }
}
