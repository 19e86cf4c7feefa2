import { Body, Controller, Param, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AccountQuotaChangedResource, AccountQuotaRequest } from '@vitrine/contracts/api';
import { type Caller, presentAccountQuota, QuotasService } from '@vitrine/domain';
import { API_PREFIX, Authenticated, CurrentCaller } from '@vitrine/http';
import { Answers } from '../openapi/answers';

@ApiTags('moderation')
@Controller(`${API_PREFIX}/admin/users/:username/quota`)
@Authenticated({ session: true, role: 'admin' })
export class AccountQuotasController {
  constructor(private readonly quotas: QuotasService) {}

  @Put()
  @ApiOperation({
    operationId: 'changeAccountQuota',
    summary: 'Change the quota of an account',
    description:
      'Only admins. What the account stores already stays, even if it is more than the new quota; then its uploads get 507 until it has deleted enough.',
  })
  @Answers(200, AccountQuotaChangedResource, 'The quota of the account.')
  async change(
    @CurrentCaller() caller: Caller,
    @Param('username') username: string,
    @Body() change: AccountQuotaRequest,
  ): Promise<AccountQuotaChangedResource> {
    const quota = await this.quotas.changeQuota(username, change, caller);
    return { message: 'Quota changed.', quota: presentAccountQuota(quota) };
  }
}
