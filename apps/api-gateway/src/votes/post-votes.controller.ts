import { Controller, Param, type Type } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { VoteResource } from '@vitrine/contracts/api';
import { type Caller, PostsService } from '@vitrine/domain';
import { type Direction, presentVote, RemoveVote, SetVote, ToggleVote, VALUE } from './vote-route';
import { API_PREFIX, Authenticated, CurrentCaller } from '@vitrine/http';
import { AccessKey } from '../posts/access-key';

/** The controller of the upvotes, or of the downvotes, on posts. */
export function postVotesController(direction: Direction): Type<unknown> {
  const value = VALUE[direction];

  @ApiTags('votes')
  @Controller(`${API_PREFIX}/posts/:post/${direction}`)
  @Authenticated({ scope: 'write' })
  class PostVotesController {
    constructor(private readonly posts: PostsService) {}

    @ToggleVote('post', direction)
    async toggle(
      @Param('post') post: string,
      @CurrentCaller() caller: Caller,
      @AccessKey() accessKey: string | null,
    ): Promise<VoteResource> {
      return presentVote(await this.posts.vote(post, caller, { accessKey, value }));
    }

    @SetVote('post', direction)
    async set(
      @Param('post') post: string,
      @CurrentCaller() caller: Caller,
      @AccessKey() accessKey: string | null,
    ): Promise<VoteResource> {
      return presentVote(await this.posts.vote(post, caller, { accessKey, value, action: 'set' }));
    }

    @RemoveVote('post', direction)
    async remove(
      @Param('post') post: string,
      @CurrentCaller() caller: Caller,
      @AccessKey() accessKey: string | null,
    ): Promise<VoteResource> {
      return presentVote(await this.posts.vote(post, caller, { accessKey, value, action: 'remove' }), {
        removed: true,
      });
    }
  }
  return PostVotesController;
}
