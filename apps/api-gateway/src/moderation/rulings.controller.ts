import { Body, Controller, Delete, Param } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { REPORT_TYPES, type ReportType } from '@vitrine/contracts';
import {
  MediaRuledResource,
  MessageResource,
  ModerationRulingRequest,
  PostRuledResource,
  PostRulingRequest,
} from '@vitrine/contracts/api';
import {
  type Caller,
  type ModeratorRuling,
  NotFoundError,
  owns,
  ReportsService,
  RulingsService,
} from '@vitrine/domain';
import { presentBannedHash } from './banned-hash.presenter';
import {
  presentListedPost,
  presentMedia,
  API_PREFIX,
  Authenticated,
  CurrentCaller,
  IdempotentPost,
} from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';
import { Answers } from '../openapi/answers';

@ApiTags('moderation')
@Controller(`${API_PREFIX}/moderation`)
@Authenticated({ scope: 'write', role: 'moderator' })
export class RulingsController {
  constructor(
    private readonly rulings: RulingsService,
    private readonly reports: ReportsService,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @IdempotentPost('media/:slug')
  @ApiOperation({
    operationId: 'ruleOnMedia',
    summary: 'Rule on a media item',
    description:
      'Automation never overrules a moderator; a later ruling replaces an earlier one. Rejecting withdraws the files within a second, and approving restores them; a ban stays until it is lifted. The ruling closes the open reports on the media item. `pending` undoes earlier rulings: the files return, the media item waits in the queue again with the scores of automation, and the reports that the caller’s last ruling closed are open again.',
  })
  @Answers(200, MediaRuledResource, 'The media item after the ruling.')
  async ruleOnMedia(
    @Param('slug') slug: string,
    @CurrentCaller() caller: Caller,
    @Body() body: ModerationRulingRequest,
  ): Promise<MediaRuledResource> {
    const ruled = await this.rulings.ruleOnMedia(slug, rulingBy(caller, body));
    return {
      message: 'Media moderated.',
      media: presentMedia(ruled, this.urls, owns(ruled.media, caller)),
      banned_hashes: ruled.bannedHashes.map(presentBannedHash),
    };
  }

  @IdempotentPost('posts/:post')
  @ApiOperation({
    operationId: 'ruleOnPost',
    summary: 'Rule on a post',
    description:
      'A ruling takes precedence over the statuses of the post’s media and over the owner’s `is_nsfw`; the owner may still mark the post as nsfw. It covers the content of the given `revision`; if the post has changed since then, the response is 409. A later change of title, description, tags or media ends a ruling of `approved` or `nsfw`; only `rejected` stays. With `ban`, all media of the post are rejected too, each by its own decision. The ruling closes the open reports on the post. `pending` undoes earlier rulings on the post: its status is computed from its media and the owner’s `is_nsfw` again, and the reports that the caller’s last ruling closed are open again.',
  })
  @Answers(200, PostRuledResource, 'The post after the ruling.')
  async ruleOnPost(
    @Param('post') post: string,
    @CurrentCaller() caller: Caller,
    @Body() body: PostRulingRequest,
  ): Promise<PostRuledResource> {
    const ruling = { ...rulingBy(caller, body), revision: body.revision };
    const ruled = await this.rulings.ruleOnPost(post, ruling);
    return {
      message: 'Post moderated.',
      post: presentListedPost(ruled, this.urls),
      banned_hashes: ruled.bannedHashes.map(presentBannedHash),
    };
  }

  @Delete('reports/:type/:target')
  @ApiOperation({
    operationId: 'dismissReports',
    summary: 'Close all reports on an item',
    description:
      'The reported item does not change. It leaves the queue unless automation could not decide on it either.',
  })
  @Answers(200, MessageResource, 'The item has no open reports.')
  async dismissReports(
    @Param('type') type: string,
    @Param('target') target: string,
    @CurrentCaller() caller: Caller,
  ): Promise<MessageResource> {
    if (!isReportType(type)) throw new NotFoundError();
    await this.reports.dismiss(type, target, caller);
    return { message: 'Reports closed.' };
  }
}

const rulingBy = (
  moderator: Caller,
  { status, reason, ban = false }: ModerationRulingRequest,
): ModeratorRuling => ({ status, note: reason, ban, moderator });

const isReportType = (text: string): text is ReportType => REPORT_TYPES.some((type) => type === text);
