import { Controller, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { VoteResource } from '@vitrine/contracts';
import { type Caller, PostsService, presentVote } from '@vitrine/domain';
import { Answers, API_PREFIX, Authenticated, CurrentCaller } from '@vitrine/http';
import { AccessKey, TakesAccessKey } from '../posts/access-key';

@ApiTags('votes')
@Controller(`${API_PREFIX}/posts/:post`)
@Authenticated({ scope: 'write' })
export class PostVotesController {
  constructor(private readonly posts: PostsService) {}

  @Post('upvote')
  @TakesAccessKey()
  @ApiOperation({
    operationId: 'upvotePost',
    summary: 'Upvote a post',
    description: 'Once more takes the upvote back; a downvote is switched, which changes the score by 2.',
  })
  @Answers(200, VoteResource, 'The vote is cast, or taken back.')
  async upvote(
    @Param('post') post: string,
    @CurrentCaller() caller: Caller,
    @AccessKey() key: string | null,
  ): Promise<VoteResource> {
    return presentVote(await this.posts.vote(post, caller, key, 1));
  }

  @Post('downvote')
  @TakesAccessKey()
  @ApiOperation({
    operationId: 'downvotePost',
    summary: 'Downvote a post',
    description: 'Once more takes the downvote back; an upvote is switched, which changes the score by 2.',
  })
  @Answers(200, VoteResource, 'The vote is cast, or taken back.')
  async downvote(
    @Param('post') post: string,
    @CurrentCaller() caller: Caller,
    @AccessKey() key: string | null,
  ): Promise<VoteResource> {
    return presentVote(await this.posts.vote(post, caller, key, -1));
  }
}
