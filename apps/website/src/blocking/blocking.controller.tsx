import { Controller, Get, NotFoundException, Param, Post } from '@nestjs/common';
import { USERNAME_PATTERN } from '@vitrine/contracts';
import { FormResult } from '../results/form-result';
import type { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import { fieldText } from '../visits/form-fields';
import { queryPage } from '../visits/query-parameters';
import { safePath } from '../visits/safe-path';
import type { Visit } from '../visits/visit';
import { blockPage } from './block-page';
import { hiddenPeoplePage } from './hidden-people-page';

/** Number of people on a page of a list. */
const LIMIT = 50;

@Controller()
export class BlockingController {
  /** Asks before it blocks, because the block ends follows. */
  @Get('u/:username/block')
  async askToBlock(@CurrentVisit() visit: Visit, @Param('username') username: string): Promise<Page> {
    await visit.requireViewer();
    if (!USERNAME_PATTERN.test(username)) throw new NotFoundException();
    return blockPage(await visit.api.users.get(username));
  }

  @Post('u/:username/block')
  async block(@CurrentVisit() visit: Visit, @Param('username') username: string): Promise<FormResult> {
    await visit.requireViewer();
    await visit.api.users.block(username);
    return new FormResult({
      goTo: `/u/${encodeURIComponent(username)}`,
      notice: `You block ${username} now.`,
    });
  }

  @Post('u/:username/unblock')
  async unblock(@CurrentVisit() visit: Visit, @Param('username') username: string): Promise<FormResult> {
    await visit.requireViewer();
    await visit.api.users.unblock(username);
    return backTo(visit, `You no longer block ${username}.`);
  }

  @Post('u/:username/mute')
  async mute(@CurrentVisit() visit: Visit, @Param('username') username: string): Promise<FormResult> {
    await visit.requireViewer();
    await visit.api.users.mute(username);
    return backTo(visit, `You mute ${username} now.`);
  }

  @Post('u/:username/unmute')
  async unmute(@CurrentVisit() visit: Visit, @Param('username') username: string): Promise<FormResult> {
    await visit.requireViewer();
    await visit.api.users.unmute(username);
    return backTo(visit, `You no longer mute ${username}.`);
  }

  @Get('settings/blocks')
  async blocks(@CurrentVisit() visit: Visit): Promise<Page> {
    await visit.requireViewer();
    const people = await visit.api.me.blocks.list({ limit: LIMIT, page: queryPage(visit.request) });
    return hiddenPeoplePage('blocks', people);
  }

  @Get('settings/mutes')
  async mutes(@CurrentVisit() visit: Visit): Promise<Page> {
    await visit.requireViewer();
    const people = await visit.api.me.mutes.list({ limit: LIMIT, page: queryPage(visit.request) });
    return hiddenPeoplePage('mutes', people);
  }
}

const backTo = (visit: Visit, notice: string): FormResult =>
  new FormResult({ goTo: safePath(fieldText(visit, 'next')), notice });
