import { Controller, Delete, Param, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { VoteResource } from '@vitrine/contracts/api';
import { type Caller, CommentsService, presentVote } from '@vitrine/domain';
import { API_PREFIX, Authenticated, CurrentCaller, IdempotentPost, IdPipe } from '@vitrine/http';
import { Answers } from '../openapi/answers';
import { AccessKey, PostOfComment, TakesAccessKey, TakesPostOfComment } from '../posts/access-key';

@ApiTags('votes')
@Controller(`${API_PREFIX}/comments/:comment`)
@Authenticated({ scope: 'write' })
export class CommentVotesController {
  constructor(private readonly comments: CommentsService) {}

  @IdempotentPost('upvote')
  @TakesAccessKey()
  @TakesPostOfComment()
  @ApiOperation({
    operationId: 'upvoteComment',
    summary: 'Upvote a comment',
    description:
      'Upvoting again removes your upvote. If you had downvoted, your vote is switched and the score changes by 2.',
  })
  @Answers(200, VoteResource, 'The vote is cast or removed.')
  async upvote(
    @Param('comment', IdPipe) id: number,
    @CurrentCaller() caller: Caller,
    @AccessKey() key: string | null,
    @PostOfComment() post: string | null,
  ): Promise<VoteResource> {
    return presentVote(await this.comments.vote({ id, post }, caller, key, 1));
  }

  @Put('upvote')
  @TakesAccessKey()
  @TakesPostOfComment()
  @ApiOperation({
    operationId: 'setUpvoteComment',
    summary: 'Set your vote on a comment to an upvote',
    description:
      'Idempotent: if you have upvoted already, nothing changes. If you had downvoted, your vote is switched.',
  })
  @Answers(200, VoteResource, 'Your vote is an upvote.')
  async setUpvote(
    @Param('comment', IdPipe) id: number,
    @CurrentCaller() caller: Caller,
    @AccessKey() key: string | null,
    @PostOfComment() post: string | null,
  ): Promise<VoteResource> {
    return presentVote(await this.comments.vote({ id, post }, caller, key, 1, 'set'));
  }

  @Delete('upvote')
  @TakesAccessKey()
  @TakesPostOfComment()
  @ApiOperation({
    operationId: 'removeUpvoteComment',
    summary: 'Remove your upvote from a comment',
    description: 'Idempotent. A downvote stays.',
  })
  @Answers(200, VoteResource, 'You have no upvote on the comment.')
  async removeUpvote(
    @Param('comment', IdPipe) id: number,
    @CurrentCaller() caller: Caller,
    @AccessKey() key: string | null,
    @PostOfComment() post: string | null,
  ): Promise<VoteResource> {
    return presentVote(await this.comments.vote({ id, post }, caller, key, 1, 'remove'));
  }

  @IdempotentPost('downvote')
  @TakesAccessKey()
  @TakesPostOfComment()
  @ApiOperation({
    operationId: 'downvoteComment',
    summary: 'Downvote a comment',
    description:
      'Downvoting again removes your downvote. If you had upvoted, your vote is switched and the score changes by 2.',
  })
  @Answers(200, VoteResource, 'The vote is cast or removed.')
  async downvote(
    @Param('comment', IdPipe) id: number,
    @CurrentCaller() caller: Caller,
    @AccessKey() key: string | null,
    @PostOfComment() post: string | null,
  ): Promise<VoteResource> {
    return presentVote(await this.comments.vote({ id, post }, caller, key, -1));
  }

  @Put('downvote')
  @TakesAccessKey()
  @TakesPostOfComment()
  @ApiOperation({
    operationId: 'setDownvoteComment',
    summary: 'Set your vote on a comment to a downvote',
    description:
      'Idempotent: if you have downvoted already, nothing changes. If you had upvoted, your vote is switched.',
  })
  @Answers(200, VoteResource, 'Your vote is a downvote.')
  async setDownvote(
    @Param('comment', IdPipe) id: number,
    @CurrentCaller() caller: Caller,
    @AccessKey() key: string | null,
    @PostOfComment() post: string | null,
  ): Promise<VoteResource> {
    return presentVote(await this.comments.vote({ id, post }, caller, key, -1, 'set'));
  }

  @Delete('downvote')
  @TakesAccessKey()
  @TakesPostOfComment()
  @ApiOperation({
    operationId: 'removeDownvoteComment',
    summary: 'Remove your downvote from a comment',
    description: 'Idempotent. An upvote stays.',
  })
  @Answers(200, VoteResource, 'You have no downvote on the comment.')
  async removeDownvote(
    @Param('comment', IdPipe) id: number,
    @CurrentCaller() caller: Caller,
    @AccessKey() key: string | null,
    @PostOfComment() post: string | null,
  ): Promise<VoteResource> {
    return presentVote(await this.comments.vote({ id, post }, caller, key, -1, 'remove'));
  }
}
