import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AccountRuledResource, AccountRulingRequest, ModeratedAccountResource } from '@vitrine/contracts/api';
import { AccountRulings, type Caller, type ModeratedAccount } from '@vitrine/domain';
import { API_PREFIX, Authenticated, CurrentCaller, IdempotentPost } from '@vitrine/http';
import { Answers, AnswersData } from '../openapi/answers';

@ApiTags('moderation')
@Controller(`${API_PREFIX}/moderation/users`)
@Authenticated({ scope: 'write', role: 'moderator' })
export class AccountRulingsController {
  constructor(private readonly rulings: AccountRulings) {}

  @Get(':username')
  @Authenticated({ scope: 'read', role: 'moderator' })
  @ApiOperation({
    operationId: 'getModeratedUser',
    summary: 'Get the state of an account',
    description: 'Also works for a suspended account, whose profile is 404 for everyone.',
  })
  @AnswersData(ModeratedAccountResource, 'The account as moderators see it.')
  async show(@Param('username') username: string): Promise<{ data: ModeratedAccountResource }> {
    return { data: presentModeratedAccount(await this.rulings.find(username)) };
  }

  @IdempotentPost(':username')
  @ApiOperation({
    operationId: 'ruleOnUser',
    summary: 'Limit, suspend or restore an account',
    description:
      'Takes effect within a second. A later ruling replaces an earlier one. The ruling closes the open reports on the account, and is an entry in the log of decisions. Staff can rule only on accounts with a lower role; otherwise the response is 403.',
  })
  @Answers(200, AccountRuledResource, 'The account after the ruling.')
  async rule(
    @Param('username') username: string,
    @CurrentCaller() caller: Caller,
    @Body() { state, reason = null, until = null }: AccountRulingRequest,
  ): Promise<AccountRuledResource> {
    const account = await this.rulings.rule(username, { state, reason, until, by: caller });
    return { message: 'Account moderated.', user: presentModeratedAccount(account) };
  }
}

/** The resource of an account, for moderators. */
export const presentModeratedAccount = (account: ModeratedAccount): ModeratedAccountResource => ({
  username: account.username,
  role: account.role,
  state: account.state,
  state_reason: account.reason,
  state_until: account.until?.toISOString() ?? null,
  created_at: account.createdAt.toISOString(),
  post_count: account.postCount,
  media_count: account.mediaCount,
});
