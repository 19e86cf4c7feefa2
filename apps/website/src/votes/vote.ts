import { BadRequestException } from '@nestjs/common';
import type { VoteAnswer } from '@vitrine/client';
import { Outcome } from '../rendering/page';
import { fieldText } from '../visits/form-fields';
import type { Visit } from '../visits/visit';

/** What a form of `VoteButtons` asks for. Throws 400 where it is neither. */
export function voteDirection(visit: Visit): 'up' | 'down' {
  const direction = fieldText(visit, 'direction');
  if (direction !== 'up' && direction !== 'down') throw new BadRequestException();
  return direction;
}

/** The vote that stands, by what the API says of it (docs: `Vote.message`). */
const STANDING: Readonly<Record<string, 'up' | 'down'>> = { 'Upvoted.': 'up', 'Downvoted.': 'down' };

/** What came of a vote: scripts are told the score and the vote that stands; a browser goes on to `goTo`. */
export const voteOutcome = ({ message, score }: VoteAnswer, goTo: string): Outcome =>
  new Outcome({ goTo, data: { score, vote: STANDING[message] ?? null } });
