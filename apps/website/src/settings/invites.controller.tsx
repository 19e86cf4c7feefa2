import { Controller, Get, Param, Post } from '@nestjs/common';
import type { AnswerOf } from '@vitrine/client';
import { formProblemOf } from '../results/form-problem';
import { FormResult } from '../results/form-result';
import type { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import { fieldText } from '../visits/form-fields';
import { ignoreNotFound } from '../visits/errors';
import { queryPage, idOf } from '../visits/query-parameters';
import type { Visit } from '../visits/visit';
import { type InviteForm, invitesPage } from './invites-page';

const PATH = '/settings/invites';
const INVITES_PAGE = 50;

@Controller('settings/invites')
export class InvitesController {
  @Get()
  async list(@CurrentVisit() visit: Visit): Promise<Page> {
    await visit.requireViewer();
    return this.page(visit, queryPage(visit.request));
  }

  /** The response contains the link. A redirect to another page would require storing it. */
  @Post()
  async create(@CurrentVisit() visit: Visit): Promise<Page> {
    await visit.requireViewer();
    const form = {
      uses: fieldText(visit, 'uses').trim(),
      until: fieldText(visit, 'until').trim(),
      note: fieldText(visit, 'note').trim(),
    };
    let made: AnswerOf<'createInvite'>;
    try {
      made = await visit.api.invites.create(
        {
          uses: Number(form.uses),
          ...(form.until !== '' && { expires_at: `${form.until}T23:59:59Z` }),
          ...(form.note !== '' && { note: form.note }),
        },
        { idempotencyKey: visit.idempotencyKey },
      );
    } catch (error) {
      return this.page(visit, 1, { form, problem: formProblemOf(error, visit) });
    }
    return this.page(visit, 1, { made });
  }

  @Post(':id/revoke')
  async revoke(@CurrentVisit() visit: Visit, @Param('id') id: string): Promise<FormResult> {
    await visit.requireViewer();
    await ignoreNotFound(visit.api.invites.revoke(idOf(id)));
    return new FormResult({ goTo: PATH, notice: 'The invite was revoked.' });
  }

  private async page(
    visit: Visit,
    page: number,
    more: {
      readonly form?: InviteForm;
      readonly problem?: ReturnType<typeof formProblemOf>;
      readonly made?: AnswerOf<'createInvite'>;
    } = {},
  ): Promise<Page> {
    const invites = await visit.api.invites.list({ page, limit: INVITES_PAGE });
    return invitesPage({ invites, path: PATH, ...more });
  }
}
