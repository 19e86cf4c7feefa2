import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { PageQuery, type PageResource, QueueItemResource } from '@vitrine/contracts/api';
import { type Caller, QueueService } from '@vitrine/domain';
import { presentQueueItem } from './queue.presenter';
import {
  API_PREFIX,
  Authenticated,
  CurrentAddress,
  CurrentCaller,
  presentPage,
  type RequestedAddress,
} from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';
import { AnswersPage } from '../openapi/answers';

@ApiTags('moderation')
@Controller(`${API_PREFIX}/moderation/queue`)
@Authenticated({ scope: 'read', role: 'moderator' })
export class QueueController {
  constructor(
    private readonly queue: QueueService,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listModerationQueue',
    summary: 'List the moderation queue',
    description:
      'Lists media that automation could not decide on, and all items that have been reported. A ruling removes a media item or a post from the queue, deletion removes a comment, and closing its reports removes any item.',
  })
  @AnswersPage(QueueItemResource, 'One page of the queue. The item that has waited longest comes first.')
  async list(
    @Query() { page, limit }: PageQuery,
    @CurrentCaller() caller: Caller,
    @CurrentAddress() address: RequestedAddress,
  ): Promise<PageResource<QueueItemResource>> {
    const { items, total } = await this.queue.findPage(page, limit, caller);
    return presentPage(
      items.map((item) => presentQueueItem(item, this.urls)),
      { page, limit, total },
      address,
    );
  }
}
