import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { DecisionListQuery, DecisionResource, type PageResource } from '@vitrine/contracts/api';
import { DecisionLog } from '@vitrine/domain';
import { presentDecision } from './decision.presenter';
import { API_PREFIX, Authenticated, CurrentAddress, presentPage, type RequestedAddress } from '@vitrine/http';
import { AnswersPage } from '../openapi/answers';

@ApiTags('moderation')
@Controller(`${API_PREFIX}/moderation/decisions`)
@Authenticated({ scope: 'read', role: 'moderator' })
export class DecisionsController {
  constructor(private readonly log: DecisionLog) {}

  @Get()
  @ApiOperation({
    operationId: 'listDecisions',
    summary: 'List moderation decisions',
    description: 'Decisions by automation, owners and moderators. The log is append-only.',
  })
  @AnswersPage(DecisionResource, 'One page of decisions, newest first.')
  async list(
    @Query() { page, limit, type, slug }: DecisionListQuery,
    @CurrentAddress() address: RequestedAddress,
  ): Promise<PageResource<DecisionResource>> {
    const filter = { subject: type, slug: slug === '' ? undefined : slug };
    const { items, total } = await this.log.findPage(filter, page, limit);
    return presentPage(items.map(presentDecision), { page, limit, total }, address);
  }
}
