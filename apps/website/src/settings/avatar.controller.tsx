import { Controller, Get, Post } from '@nestjs/common';
import { formProblemOf, type FormProblem } from '../results/form-problem';
import { FormResult } from '../results/form-result';
import type { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import { fieldText } from '../visits/form-fields';
import { queryPage, pageNumber } from '../visits/query-parameters';
import type { Visit } from '../visits/visit';
import { avatarPage } from './avatar-page';

const PAGE_SIZE = 30;

@Controller('settings/avatar')
export class AvatarController {
  @Get()
  choose(@CurrentVisit() visit: Visit): Promise<Page> {
    return this.page(visit, queryPage(visit.request));
  }

  /** An empty slug removes the picture. */
  @Post()
  async change(@CurrentVisit() visit: Visit): Promise<Page | FormResult> {
    await visit.requireViewer();
    const slug = fieldText(visit, 'avatar').trim();
    let isShown: boolean;
    try {
      const account = await visit.api.me.update({ avatar: slug === '' ? null : slug });
      isShown = account.avatar !== null;
    } catch (error) {
      return this.page(visit, pageNumber(fieldText(visit, 'page')), formProblemOf(error, visit));
    }
    visit.forgetViewer();
    const chosen = isShown
      ? 'Your profile picture was changed.'
      : 'Your profile picture will change once the picture is approved.';
    const notice = slug === '' ? 'Your profile picture was removed.' : chosen;
    return new FormResult({ goTo: '/settings', notice });
  }

  private async page(visit: Visit, page: number, problem?: FormProblem): Promise<Page> {
    const { username } = await visit.requireViewer();
    const media = await visit.api.users.media(username).list({ limit: PAGE_SIZE, page });
    return avatarPage({ as: username, media, ...(problem && { problem }) });
  }
}
