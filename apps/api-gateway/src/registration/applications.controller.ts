import { Body, Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  ApplicationDecisionRequest,
  ApplicationResource,
  MessageResource,
  PageQuery,
  type PageResource,
} from '@vitrine/contracts/api';
import { ApplicationsService, type Caller } from '@vitrine/domain';
import { presentApplication } from './admission.presenter';
import {
  API_PREFIX,
  Authenticated,
  CurrentAddress,
  CurrentCaller,
  IdempotentPost,
  presentPage,
  type RequestedAddress,
} from '@vitrine/http';
import { Answers, AnswersPage } from '../openapi/answers';

@ApiTags('moderation')
@Controller(`${API_PREFIX}/moderation/applications`)
@Authenticated({ scope: 'write', role: 'moderator' })
export class ApplicationsController {
  constructor(private readonly applications: ApplicationsService) {}

  @Get()
  @Authenticated({ scope: 'read', role: 'moderator' })
  @ApiOperation({
    operationId: 'listApplications',
    summary: 'List applications for accounts',
    description: 'New applications are possible only while `registration` of `GET /site` is `approval`.',
  })
  @AnswersPage(ApplicationResource, 'One page of applications, oldest first.')
  async list(
    @Query() { page, limit }: PageQuery,
    @CurrentAddress() address: RequestedAddress,
  ): Promise<PageResource<ApplicationResource>> {
    const { applications, total } = await this.applications.findPage(page, limit);
    return presentPage(applications.map(presentApplication), { page, limit, total }, address);
  }

  @IdempotentPost(':username')
  @ApiOperation({
    operationId: 'decideApplication',
    summary: 'Accept or decline an application',
    description:
      'An accepted account can log in at once. A declined one is removed, and its username is free again. The decision is an entry in the log of decisions.',
  })
  @Answers(200, MessageResource, 'The application is decided.')
  async decide(
    @Param('username') username: string,
    @CurrentCaller() caller: Caller,
    @Body() { decision, reason = null }: ApplicationDecisionRequest,
  ): Promise<MessageResource> {
    await this.applications.decide(username, decision, reason, caller);
    return { message: decision === 'accept' ? 'Application accepted.' : 'Application declined.' };
  }
}
