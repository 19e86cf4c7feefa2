import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { PageQuery, type PageResource, QueueItemResource } from '@vitrine/contracts';
import { type Caller, presentQueueItem, QueueService } from '@vitrine/domain';
import {
  AnswersPage,
  API_PREFIX,
  Authenticated,
  CurrentAddress,
  CurrentCaller,
  presentPage,
  type RequestedAddress,
} from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';

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
    summary: 'What waits for a moderator',
    description:
      'Media of which automation is unsure, and whatever has been reported. Media and posts leave with a ruling, a ' +
      'comment with its deletion, anything when its reports are closed.',
  })
  @AnswersPage(QueueItemResource, 'One page of the queue, the longest wait first.')
  async list(
    @Query() { page, limit }: PageQuery,
    @CurrentCaller() caller: Caller,
    @CurrentAddress() address: RequestedAddress,
  ): Promise<PageResource<QueueItemResource>> {
    const { items, total } = await this.queue.findPage(page, limit, caller);
    return presentPage(
      items.map((item) => presentQueueItem(item, this.urls)),
      { page, limit, total },
      { api: this.urls.api, address },
    );
  }
}
