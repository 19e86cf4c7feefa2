import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ACCOUNT_STATES, type AccountState } from '@vitrine/contracts';
import { type FormProblem, formProblemOf, invalidFormError } from '../results/form-problem';
import { FormResult } from '../results/form-result';
import type { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import { fieldText } from '../visits/form-fields';
import type { Visit } from '../visits/visit';
import { AccountPage, type TypedAccountRuling } from './account-page';
import { moderationPage } from './moderation-frame';

const DECISIONS_SHOWN = 20;

/** The page for a decision on an account. `state` chooses a state before the moderator does. */
@Controller('moderation/user')
export class AccountController {
  @Get(':username')
  async show(
    @CurrentVisit() visit: Visit,
    @Param('username') username: string,
    @Query('state') state: unknown,
  ): Promise<Page> {
    await visit.requireViewer();
    return this.page(visit, username, { state: stateIn(state), reason: '', until: '' });
  }

  @Post(':username')
  async rule(@CurrentVisit() visit: Visit, @Param('username') username: string): Promise<FormResult | Page> {
    await visit.requireViewer();
    const state = stateIn(fieldText(visit, 'state'));
    const typed = {
      state: state ?? 'active',
      reason: fieldText(visit, 'reason').trim(),
      until: fieldText(visit, 'until').trim(),
    };
    const { reason, until } = typed;
    try {
      if (state === undefined) throw invalidFormError({ state: ['Choose a state.'] });
      await visit.api.moderation.ruleOnUser(
        username,
        {
          state,
          ...(reason !== '' && { reason }),
          ...(until !== '' && state !== 'active' && { until: `${until}T23:59:59Z` }),
        },
        { idempotencyKey: visit.idempotencyKey },
      );
    } catch (error) {
      return await this.page(visit, username, typed, formProblemOf(error, visit));
    }
    return new FormResult({
      goTo: `/moderation/user/${encodeURIComponent(username)}`,
      notice: `${username} is ${state}.`,
    });
  }

  private async page(
    visit: Visit,
    username: string,
    typed: Omit<TypedAccountRuling, 'state'> & { readonly state: AccountState | undefined },
    problem?: FormProblem,
  ): Promise<Page> {
    const [account, decisions] = await Promise.all([
      visit.api.moderation.getUser(username),
      visit.api.moderation.decisions.list({ type: 'user', slug: username, limit: DECISIONS_SHOWN }),
    ]);
    return moderationPage({
      title: account.username,
      path: '/moderation',
      status: problem?.status ?? 200,
      body: (
        <AccountPage
          account={account}
          decisions={decisions.data}
          typed={{ ...typed, state: typed.state ?? account.state }}
          problem={problem}
        />
      ),
    });
  }
}

const stateIn = (text: unknown): AccountState | undefined => ACCOUNT_STATES.find((state) => state === text);
