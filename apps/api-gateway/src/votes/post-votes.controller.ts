import { Controller, Delete, Param, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { VoteResource } from '@vitrine/contracts/api';
import { type Caller, PostsService, presentVote } from '@vitrine/domain';
import { API_PREFIX, Authenticated, CurrentCaller, IdempotentPost } from '@vitrine/http';
import { Answers } from '../openapi/answers';
import { AccessKey, TakesAccessKey } from '../posts/access-key';

@ApiTags('votes')
@Controller(`${API_PREFIX}/posts/:post`)
@Authenticated({ scope: 'write' })
export class PostVotesController {
  constructor(private readonly posts: PostsService) {}

  @IdempotentPost('upvote')
  @TakesAccessKey()
  @ApiOperation({
    operationId: 'upvotePost',
    summary: 'Upvote a post',
    description:
      'Upvoting again removes your upvote. If you had downvoted, your vote is switched and the score changes by 2.',
  })
  @Answers(200, VoteResource, 'The vote is cast or removed.')
  async upvote(
    @Param('post') post: string,
    @CurrentCaller() caller: Caller,
    @AccessKey() key: string | null,
  ): Promise<VoteResource> {
    return presentVote(await this.posts.vote(post, caller, key, 1));
  }

  @Put('upvote')
  @TakesAccessKey()
  @ApiOperation({
    operationId: 'setUpvotePost',
    summary: 'Set your vote on a post to an upvote',
    description:
      'Idempotent: if you have upvoted already, nothing changes. If you had downvoted, your vote is switched.',
  })
  @Answers(200, VoteResource, 'Your vote is an upvote.')
  async setUpvote(
    @Param('post') post: string,
    @CurrentCaller() caller: Caller,
    @AccessKey() key: string | null,
  ): Promise<VoteResource> {
    return presentVote(await this.posts.vote(post, caller, key, 1, 'set'));
  }

  @Delete('upvote')
  @TakesAccessKey()
  @ApiOperation({
    operationId: 'removeUpvotePost',
    summary: 'Remove your upvote from a post',
    description: 'Idempotent. A downvote stays.',
  })
  @Answers(200, VoteResource, 'You have no upvote on the post.')
  async removeUpvote(
    @Param('post') post: string,
    @CurrentCaller() caller: Caller,
    @AccessKey() key: string | null,
  ): Promise<VoteResource> {
    return presentVote(await this.posts.vote(post, caller, key, 1, 'remove'));
  }

  @IdempotentPost('downvote')
  @TakesAccessKey()
  @ApiOperation({
    operationId: 'downvotePost',
    summary: 'Downvote a post',
    description:
      'Downvoting again removes your downvote. If you had upvoted, your vote is switched and the score changes by 2.',
  })
  @Answers(200, VoteResource, 'The vote is cast or removed.')
  async downvote(
    @Param('post') post: string,
    @CurrentCaller() caller: Caller,
    @AccessKey() key: string | null,
  ): Promise<VoteResource> {
    return presentVote(await this.posts.vote(post, caller, key, -1));
  }

  @Put('downvote')
  @TakesAccessKey()
  @ApiOperation({
    operationId: 'setDownvotePost',
    summary: 'Set your vote on a post to a downvote',
    description:
      'Idempotent: if you have downvoted already, nothing changes. If you had upvoted, your vote is switched.',
  })
  @Answers(200, VoteResource, 'Your vote is a downvote.')
  async setDownvote(
    @Param('post') post: string,
    @CurrentCaller() caller: Caller,
    @AccessKey() key: string | null,
  ): Promise<VoteResource> {
    return presentVote(await this.posts.vote(post, caller, key, -1, 'set'));
  }

  @Delete('downvote')
  @TakesAccessKey()
  @ApiOperation({
    operationId: 'removeDownvotePost',
    summary: 'Remove your downvote from a post',
    description: 'Idempotent. An upvote stays.',
  })
  @Answers(200, VoteResource, 'You have no downvote on the post.')
  async removeDownvote(
    @Param('post') post: string,
    @CurrentCaller() caller: Caller,
    @AccessKey() key: string | null,
  ): Promise<VoteResource> {
    return presentVote(await this.posts.vote(post, caller, key, -1, 'remove'));
  }
}
