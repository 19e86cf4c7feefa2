import { Body, Controller, Param, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AccountQuotaChangedResource, AccountQuotaRequest } from '@vitrine/contracts/api';
import { type Caller, PeopleService } from '@vitrine/domain';
import { presentAccountQuota } from './quota.presenter';
import { API_PREFIX, Authenticated, CurrentCaller } from '@vitrine/http';
import { PROOF, proofIn } from '../proofs/proof-bodies';
import { Answers } from '../openapi/answers';

@ApiTags('moderation')
@Controller(`${API_PREFIX}/admin/users/:username/quota`)
@Authenticated({ session: true, role: 'admin' })
export class AccountQuotasController {
  constructor(private readonly people: PeopleService) {}

  @Put()
  @ApiOperation({
    operationId: 'changeAccountQuota',
    summary: 'Change the quota of an account',
    description: `Files that are already stored stay, even if they exceed the new quota. Uploads then get 507 until the user has deleted enough. ${PROOF}`,
  })
  @Answers(200, AccountQuotaChangedResource, 'The quota of the account.')
  async change(
    @CurrentCaller() caller: Caller,
    @Param('username') username: string,
    @Body() { bytes, files, ...proof }: AccountQuotaRequest,
  ): Promise<AccountQuotaChangedResource> {
    const quota = await this.people.changeQuota(username, { bytes, files }, caller, proofIn(proof));
    return { message: 'Quota changed.', quota: presentAccountQuota(quota) };
  }
}
