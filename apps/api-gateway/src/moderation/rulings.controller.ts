import { Body, Controller, Delete, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  MediaRuledResource,
  MessageResource,
  ModerationRulingRequest,
  PostRuledResource,
  PostRulingRequest,
  REPORT_TYPES,
  type ReportType,
} from '@vitrine/contracts';
import {
  type Caller,
  type ModeratorRuling,
  NotFoundError,
  ownsMedia,
  presentBannedHash,
  presentListedPost,
  presentMedia,
  ReportsService,
  RulingsService,
} from '@vitrine/domain';
import { Answers, API_PREFIX, Authenticated, CurrentCaller } from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';

@ApiTags('moderation')
@Controller(`${API_PREFIX}/moderation`)
@Authenticated({ scope: 'write', role: 'moderator' })
export class RulingsController {
  constructor(
    private readonly rulings: RulingsService,
    private readonly reports: ReportsService,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @Post('media/:slug')
  @ApiOperation({
    operationId: 'ruleOnMedia',
    summary: 'Decide on a media',
    description:
      'Automation never overrules it; a later ruling does. Rejected, its files are withdrawn within a second; approved ' +
      'again, they return, while a ban of them holds until it is lifted. Its reports are closed. `pending` takes ' +
      'rulings back: its files return, it waits in the queue as automation left it, and the reports that the caller’s ' +
      'last ruling on it closed are open again.',
  })
  @Answers(200, MediaRuledResource, 'The media as it is now.')
  async ruleOnMedia(
    @Param('slug') slug: string,
    @CurrentCaller() caller: Caller,
    @Body() body: ModerationRulingRequest,
  ): Promise<MediaRuledResource> {
    const ruled = await this.rulings.ruleOnMedia(slug, rulingBy(caller, body));
    return {
      message: 'Media moderated.',
      media: presentMedia(ruled, this.urls, ownsMedia(ruled.media, caller)),
      banned_hashes: ruled.bannedHashes.map(presentBannedHash),
    };
  }

  @Post('posts/:post')
  @ApiOperation({
    operationId: 'ruleOnPost',
    summary: 'Decide on a post',
    description:
      'It outranks the statuses of the post’s media and what its owner has said, who may still raise it to nsfw. It ' +
      'covers the `revision` of the content that it names: 409 if the post has changed since. A later change of title, ' +
      'description, tags or media ends a ruling of `approved` or `nsfw`; only `rejected` stays. With ' +
      '`ban` all its media are rejected too, each by a decision of its own. Its reports are closed. `pending` takes ' +
      'rulings on the post back: its status follows from its media and its owner’s word again, and the reports that the ' +
      'caller’s last ruling on it closed are open again.',
  })
  @Answers(200, PostRuledResource, 'The post as it is now.')
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
    summary: 'Close the reports of something',
    description: 'It stays as it is, and leaves the queue unless automation is unsure of it too.',
  })
  @Answers(200, MessageResource, 'Nothing reported of it is open.')
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
