import { applyDecorators, Delete, Put } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { VoteResource } from '@vitrine/contracts/api';
import { IdempotentPost } from '@vitrine/http';
import { Answers } from '../openapi/answers';
import { TakesAccessKey, TakesPostOfComment } from '../posts/access-key';
import type { VoteOutcome, VoteState } from '@vitrine/domain';

type Target = 'post' | 'comment';
export type Direction = 'upvote' | 'downvote';

export const VALUE = { upvote: 1, downvote: -1 } as const;
const OPPOSITE = { upvote: 'downvote', downvote: 'upvote' } as const;
const ARTICLE = { upvote: 'an', downvote: 'a' } as const;
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** `POST`: votes, or removes the same vote. */
export const ToggleVote = (target: Target, direction: Direction): MethodDecorator =>
  voteRoute(target, IdempotentPost(), {
    operationId: `${direction}${capital(target)}`,
    summary: `${capital(direction)} a ${target}`,
    description: `${capital(direction).slice(0, -1)}ing again removes your ${direction}. If you had ${OPPOSITE[direction]}d, your vote is switched and the score changes by 2.`,
    answer: 'The vote is cast or removed.',
  });

/** `PUT`: makes it the caller's vote. */
export const SetVote = (target: Target, direction: Direction): MethodDecorator =>
  voteRoute(target, Put(), {
    operationId: `set${capital(direction)}${capital(target)}`,
    summary: `Set your vote on a ${target} to ${ARTICLE[direction]} ${direction}`,
    description: `Idempotent: if you have ${direction}d already, nothing changes. If you had ${OPPOSITE[direction]}d, your vote is switched.`,
    answer: `Your vote is ${ARTICLE[direction]} ${direction}.`,
  });

/** `DELETE`: removes this vote, and no other. */
export const RemoveVote = (target: Target, direction: Direction): MethodDecorator =>
  voteRoute(target, Delete(), {
    operationId: `remove${capital(direction)}${capital(target)}`,
    summary: `Remove your ${direction} from a ${target}`,
    description: `Idempotent. ${capital(ARTICLE[OPPOSITE[direction]])} ${OPPOSITE[direction]} stays.`,
    answer: `You have no ${direction} on the ${target}.`,
  });

/** A route of votes on a target, and its documentation. The decorators are applied in the order of the list. */
const voteRoute = (
  target: Target,
  route: MethodDecorator,
  { answer, ...operation }: Record<'operationId' | 'summary' | 'description' | 'answer', string>,
): MethodDecorator =>
  applyDecorators(
    Answers(200, VoteResource, answer),
    ApiOperation(operation),
    ...(target === 'comment' ? [TakesPostOfComment()] : []),
    TakesAccessKey(),
    route,
  );

const CAST: Readonly<Record<VoteState, string>> = { 1: 'Upvoted.', [-1]: 'Downvoted.', 0: 'Vote removed.' };

/** The response to a vote; `removed`: to the removal of one, which leaves an opposite vote. */
export const presentVote = ({ to, score }: VoteOutcome, { removed = false } = {}): VoteResource => ({
  message: CAST[removed ? 0 : to],
  score,
  isUpvotedByUser: to === 1,
  isDownvotedByUser: to === -1,
});
