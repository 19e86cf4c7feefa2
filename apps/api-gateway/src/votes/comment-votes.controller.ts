import { Controller, Param, type Type } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { VoteResource } from '@vitrine/contracts/api';
import { type Caller, CommentsService } from '@vitrine/domain';
import { type Direction, presentVote, RemoveVote, SetVote, ToggleVote, VALUE } from './vote-route';
import { API_PREFIX, Authenticated, CurrentCaller, IdPipe } from '@vitrine/http';
import { AccessKey, PostOfComment } from '../posts/access-key';

/** The controller of the upvotes, or of the downvotes, on comments. */
export function commentVotesController(direction: Direction): Type<unknown> {
  const value = VALUE[direction];

  @ApiTags('votes')
  @Controller(`${API_PREFIX}/comments/:comment/${direction}`)
  @Authenticated({ scope: 'write' })
  class CommentVotesController {
    constructor(private readonly comments: CommentsService) {}

    @ToggleVote('comment', direction)
    async toggle(
      @Param('comment', IdPipe) id: number,
      @CurrentCaller() caller: Caller,
      @AccessKey() accessKey: string | null,
      @PostOfComment() post: string | null,
    ): Promise<VoteResource> {
      return presentVote(await this.comments.vote({ id, post }, caller, { accessKey, value }));
    }

    @SetVote('comment', direction)
    async set(
      @Param('comment', IdPipe) id: number,
      @CurrentCaller() caller: Caller,
      @AccessKey() accessKey: string | null,
      @PostOfComment() post: string | null,
    ): Promise<VoteResource> {
      return presentVote(await this.comments.vote({ id, post }, caller, { accessKey, value, action: 'set' }));
    }

    @RemoveVote('comment', direction)
    async remove(
      @Param('comment', IdPipe) id: number,
      @CurrentCaller() caller: Caller,
      @AccessKey() accessKey: string | null,
      @PostOfComment() post: string | null,
    ): Promise<VoteResource> {
      return presentVote(
        await this.comments.vote({ id, post }, caller, { accessKey, value, action: 'remove' }),
        { removed: true },
      );
    }
  }
  return CommentVotesController;
}
