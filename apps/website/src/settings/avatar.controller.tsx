import { Controller, Get, Post } from '@nestjs/common';
import { formTroubleOf, type FormTrouble } from '../rendering/form-trouble';
import { Outcome, type Page } from '../rendering/page';
import { CurrentVisit } from '../visits/current-visit';
import { fieldText } from '../visits/form-fields';
import { queryPage } from '../visits/query-parameters';
import type { Visit } from '../visits/visit';
import { pageNumber } from '../visits/whole-numbers';
import { avatarPage } from './avatar-page';

const PAGE_SIZE = 30;

@Controller('settings/avatar')
export class AvatarController {
  @Get()
  choose(@CurrentVisit() visit: Visit): Promise<Page> {
    return this.page(visit, queryPage(visit.request));
  }

  /** An empty slug takes the picture off. */
  @Post()
  async change(@CurrentVisit() visit: Visit): Promise<Page | Outcome> {
    await visit.requireViewer();
    const slug = fieldText(visit, 'avatar').trim();
    let isShown: boolean;
    try {
      const account = await visit.api.me.update({ avatar: slug === '' ? null : slug });
      isShown = account.avatar !== null;
    } catch (error) {
      return this.page(visit, pageNumber(fieldText(visit, 'page')), formTroubleOf(error, visit));
    }
    visit.forgetViewer();
    const chosen = isShown ? 'That is your picture now.' : 'That is your picture once it is approved.';
    const notice = slug === '' ? 'Your picture is taken off.' : chosen;
    return new Outcome({ goTo: '/settings', notice });
  }

  private async page(visit: Visit, page: number, trouble?: FormTrouble): Promise<Page> {
    const { username } = await visit.requireViewer();
    const media = await visit.api.users.media(username).list({ limit: PAGE_SIZE, page });
    return avatarPage({ media, ...(trouble && { trouble }) });
  }
}
