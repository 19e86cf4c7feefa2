import { BadRequestException } from '@nestjs/common';
import type { VoteAnswer } from '@vitrine/client';
import { FormResult } from '../results/form-result';
import { fieldText } from '../visits/form-fields';
import type { Visit } from '../visits/visit';

/** The direction in a form of `VoteButtons`. Throws `BadRequestException` if it is missing or invalid. */
export function voteDirection(visit: Visit): 'up' | 'down' {
  const direction = fieldText(visit, 'direction');
  if (direction !== 'up' && direction !== 'down') throw new BadRequestException();
  return direction;
}

/** The result of a vote: scripts get the score and the current vote, browsers are redirected to `goTo`. */
export const voteResult = (
  { score, isUpvotedByUser, isDownvotedByUser }: VoteAnswer,
  goTo: string,
): FormResult =>
  new FormResult({
    goTo,
    data: { score, vote: isUpvotedByUser ? 'up' : isDownvotedByUser ? 'down' : null },
  });
