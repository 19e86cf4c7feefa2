import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { VoteResource } from '@vitrine/contracts/api';
import { type Caller, PostsService, presentVote } from '@vitrine/domain';
import { API_PREFIX, Authenticated, CurrentCaller } from '@vitrine/http';
import { AccessKey } from '../posts/access-key';
import { RemoveVote, SetVote, ToggleVote } from './vote-route';

@ApiTags('votes')
@Controller(`${API_PREFIX}/posts/:post`)
@Authenticated({ scope: 'write' })
export class PostVotesController {
  constructor(private readonly posts: PostsService) {}

  @ToggleVote('post', 'upvote')
  async upvote(
    @Param('post') post: string,
    @CurrentCaller() caller: Caller,
    @AccessKey() key: string | null,
  ): Promise<VoteResource> {
    return presentVote(await this.posts.vote(post, caller, { accessKey: key, value: 1 }));
  }

  @SetVote('post', 'upvote')
  async setUpvote(
    @Param('post') post: string,
    @CurrentCaller() caller: Caller,
    @AccessKey() key: string | null,
  ): Promise<VoteResource> {
    return presentVote(await this.posts.vote(post, caller, { accessKey: key, value: 1, action: 'set' }));
  }

  @RemoveVote('post', 'upvote')
  async removeUpvote(
    @Param('post') post: string,
    @CurrentCaller() caller: Caller,
    @AccessKey() key: string | null,
  ): Promise<VoteResource> {
    return presentVote(await this.posts.vote(post, caller, { accessKey: key, value: 1, action: 'remove' }));
  }

  @ToggleVote('post', 'downvote')
  async downvote(
    @Param('post') post: string,
    @CurrentCaller() caller: Caller,
    @AccessKey() key: string | null,
  ): Promise<VoteResource> {
    return presentVote(await this.posts.vote(post, caller, { accessKey: key, value: -1 }));
  }

  @SetVote('post', 'downvote')
  async setDownvote(
    @Param('post') post: string,
    @CurrentCaller() caller: Caller,
    @AccessKey() key: string | null,
  ): Promise<VoteResource> {
    return presentVote(await this.posts.vote(post, caller, { accessKey: key, value: -1, action: 'set' }));
  }

  @RemoveVote('post', 'downvote')
  async removeDownvote(
    @Param('post') post: string,
    @CurrentCaller() caller: Caller,
    @AccessKey() key: string | null,
  ): Promise<VoteResource> {
    return presentVote(await this.posts.vote(post, caller, { accessKey: key, value: -1, action: 'remove' }));
  }
}
