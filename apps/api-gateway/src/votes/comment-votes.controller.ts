import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { VoteResource } from '@vitrine/contracts/api';
import { type Caller, CommentsService, presentVote } from '@vitrine/domain';
import { API_PREFIX, Authenticated, CurrentCaller, IdPipe } from '@vitrine/http';
import { AccessKey, PostOfComment } from '../posts/access-key';
import { RemoveVote, SetVote, ToggleVote } from './vote-route';

@ApiTags('votes')
@Controller(`${API_PREFIX}/comments/:comment`)
@Authenticated({ scope: 'write' })
export class CommentVotesController {
  constructor(private readonly comments: CommentsService) {}

  @ToggleVote('comment', 'upvote')
  async upvote(
    @Param('comment', IdPipe) id: number,
    @CurrentCaller() caller: Caller,
    @AccessKey() key: string | null,
    @PostOfComment() post: string | null,
  ): Promise<VoteResource> {
    return presentVote(await this.comments.vote({ id, post }, caller, { accessKey: key, value: 1 }));
  }

  @SetVote('comment', 'upvote')
  async setUpvote(
    @Param('comment', IdPipe) id: number,
    @CurrentCaller() caller: Caller,
    @AccessKey() key: string | null,
    @PostOfComment() post: string | null,
  ): Promise<VoteResource> {
    return presentVote(
      await this.comments.vote({ id, post }, caller, { accessKey: key, value: 1, action: 'set' }),
    );
  }

  @RemoveVote('comment', 'upvote')
  async removeUpvote(
    @Param('comment', IdPipe) id: number,
    @CurrentCaller() caller: Caller,
    @AccessKey() key: string | null,
    @PostOfComment() post: string | null,
  ): Promise<VoteResource> {
    return presentVote(
      await this.comments.vote({ id, post }, caller, { accessKey: key, value: 1, action: 'remove' }),
    );
  }

  @ToggleVote('comment', 'downvote')
  async downvote(
    @Param('comment', IdPipe) id: number,
    @CurrentCaller() caller: Caller,
    @AccessKey() key: string | null,
    @PostOfComment() post: string | null,
  ): Promise<VoteResource> {
    return presentVote(await this.comments.vote({ id, post }, caller, { accessKey: key, value: -1 }));
  }

  @SetVote('comment', 'downvote')
  async setDownvote(
    @Param('comment', IdPipe) id: number,
    @CurrentCaller() caller: Caller,
    @AccessKey() key: string | null,
    @PostOfComment() post: string | null,
  ): Promise<VoteResource> {
    return presentVote(
      await this.comments.vote({ id, post }, caller, { accessKey: key, value: -1, action: 'set' }),
    );
  }

  @RemoveVote('comment', 'downvote')
  async removeDownvote(
    @Param('comment', IdPipe) id: number,
    @CurrentCaller() caller: Caller,
    @AccessKey() key: string | null,
    @PostOfComment() post: string | null,
  ): Promise<VoteResource> {
    return presentVote(
      await this.comments.vote({ id, post }, caller, { accessKey: key, value: -1, action: 'remove' }),
    );
  }
}
