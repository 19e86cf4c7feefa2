import { Controller, Get, Post } from '@nestjs/common';
import { formProblemOf, type FormProblem } from '../results/form-problem';
import { FormResult } from '../results/form-result';
import type { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import { fieldText, typedPassword } from '../visits/form-fields';
import type { Visit } from '../visits/visit';
import { idOf } from '../visits/query-parameters';
import { continuePage } from './provider-login-pages';
import { linkedProvidersPage } from './linked-providers-page';

const PATH = '/settings/providers';

/** The providers that are linked to the visitor's account. */
@Controller('settings/providers')
export class LinkedProvidersController {
  @Get()
  show(@CurrentVisit() visit: Visit): Promise<Page> {
    return this.page(visit);
  }

  @Post()
  async change(@CurrentVisit() visit: Visit): Promise<Page | FormResult> {
    await visit.requireViewer();
    const [link, unlink] = [fieldText(visit, 'link'), fieldText(visit, 'unlink')];
    const proof = typedPassword(visit, 'current_password');
    try {
      if (unlink !== '') {
        await visit.api.me.unlinkProvider(idOf(unlink), proof);
        return new FormResult({ goTo: PATH, notice: 'The provider was unlinked.' });
      }
      const { url, transaction } = await visit.api.me.linkProvider({ provider: link, ...proof });
      visit.rememberProviderLogin({ transaction, next: PATH, invite: '' });
      const { providers } = await visit.api.site();
      // Forms of this site lead to no other site, so the visitor goes on by a link.
      return continuePage(providers.find(({ name }) => name === link)?.title ?? link, url);
    } catch (error) {
      return this.page(visit, formProblemOf(error, visit));
    }
  }

  private async page(visit: Visit, problem?: FormProblem): Promise<Page> {
    visit.forgetViewer();
    const [account, identities, site] = await Promise.all([
      visit.requireViewer(),
      visit.api.me.identities(),
      visit.api.site(),
    ]);
    return linkedProvidersPage({ account, identities, site, ...(problem && { problem }) });
  }
}
