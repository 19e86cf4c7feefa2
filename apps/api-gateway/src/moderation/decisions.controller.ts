import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { DecisionListQuery, DecisionResource, type PageResource } from '@vitrine/contracts';
import { DecisionLog, presentDecision } from '@vitrine/domain';
import {
  AnswersPage,
  API_PREFIX,
  Authenticated,
  CurrentAddress,
  presentPage,
  type RequestedAddress,
} from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';

@ApiTags('moderation')
@Controller(`${API_PREFIX}/moderation/decisions`)
@Authenticated({ scope: 'read', role: 'moderator' })
export class DecisionsController {
  constructor(
    private readonly log: DecisionLog,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listDecisions',
    summary: 'The log of decisions',
    description: 'By automation, owners and moderators; nothing in it ever changes.',
  })
  @AnswersPage(DecisionResource, 'One page of the decisions, the newest first.')
  async list(
    @Query() { page, limit, type, slug }: DecisionListQuery,
    @CurrentAddress() address: RequestedAddress,
  ): Promise<PageResource<DecisionResource>> {
    const filter = { subject: type, slug: slug === '' ? undefined : slug };
    const { items, total } = await this.log.findPage(filter, page, limit);
    return presentPage(items.map(presentDecision), { page, limit, total }, { api: this.urls.api, address });
  }
}
