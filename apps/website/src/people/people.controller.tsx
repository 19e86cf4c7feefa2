import { Controller, Get, NotFoundException, Param } from '@nestjs/common';
import { USERNAME_PATTERN } from '@vitrine/contracts';
import type { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import { queryPage } from '../visits/query-parameters';
import type { Visit } from '../visits/visit';
import { blockedProfilePage } from './blocked-profile-page';
import { profilePage } from './profile-page';
import { isTab, loadTab, type TabName } from './profile-tabs';

@Controller('u')
export class PeopleController {
  @Get(':username')
  showPosts(@CurrentVisit() visit: Visit, @Param('username') username: string): Promise<Page> {
    return this.page(visit, username, 'posts');
  }

  @Get(':username/:tab')
  async showTab(
    @CurrentVisit() visit: Visit,
    @Param('username') username: string,
    @Param('tab') tab: string,
  ): Promise<Page> {
    if (!isTab(tab) || tab === 'posts') throw new NotFoundException();
    return this.page(visit, username, tab);
  }

  private async page(visit: Visit, username: string, tab: TabName): Promise<Page> {
    if (!USERNAME_PATTERN.test(username)) throw new NotFoundException();
    const page = queryPage(visit.request);
    const loading = loadTab(visit.api, username, tab, { page, nsfw: visit.showsNsfw });
    // It fails for somebody whom the viewer blocks; otherwise it is awaited below.
    loading.catch(() => undefined);
    const [user, viewer] = await Promise.all([visit.api.users.get(username), visit.viewer()]);
    if (user.isBlockedByUser) return blockedProfilePage(user);
    const own = viewer?.username === user.username ? viewer : null;
    return profilePage({ user, content: await loading, own, page });
  }
}
