import { Controller, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { VoteResource } from '@vitrine/contracts';
import { type Caller, CommentsService, presentVote } from '@vitrine/domain';
import { Answers, API_PREFIX, Authenticated, CurrentCaller, IdPipe } from '@vitrine/http';
import { AccessKey, TakesAccessKey } from '../posts/access-key';

@ApiTags('votes')
@Controller(`${API_PREFIX}/comments/:comment`)
@Authenticated({ scope: 'write' })
export class CommentVotesController {
  constructor(private readonly comments: CommentsService) {}

  @Post('upvote')
  @TakesAccessKey()
  @ApiOperation({
    operationId: 'upvoteComment',
    summary: 'Upvote a comment',
    description: 'Once more takes the upvote back; a downvote is switched, which changes the score by 2.',
  })
  @Answers(200, VoteResource, 'The vote is cast, or taken back.')
  async upvote(
    @Param('comment', IdPipe) id: number,
    @CurrentCaller() caller: Caller,
    @AccessKey() key: string | null,
  ): Promise<VoteResource> {
    return presentVote(await this.comments.vote(id, caller, key, 1));
  }

  @Post('downvote')
  @TakesAccessKey()
  @ApiOperation({
    operationId: 'downvoteComment',
    summary: 'Downvote a comment',
    description: 'Once more takes the downvote back; an upvote is switched, which changes the score by 2.',
  })
  @Answers(200, VoteResource, 'The vote is cast, or taken back.')
  async downvote(
    @Param('comment', IdPipe) id: number,
    @CurrentCaller() caller: Caller,
    @AccessKey() key: string | null,
  ): Promise<VoteResource> {
    return presentVote(await this.comments.vote(id, caller, key, -1));
  }
}
