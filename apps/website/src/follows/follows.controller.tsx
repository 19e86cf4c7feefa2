import { Controller, Param, Post } from '@nestjs/common';
import { FollowButton } from '../components/follow-button';
import { Outcome } from '../rendering/page';
import { CurrentVisit } from '../visits/current-visit';
import { fieldText } from '../visits/form-fields';
import { safePath } from '../visits/safe-path';
import type { Visit } from '../visits/visit';

@Controller('u/:username')
export class FollowsController {
  @Post('follow')
  async follow(@CurrentVisit() visit: Visit, @Param('username') username: string): Promise<Outcome> {
    await visit.requireViewer();
    await visit.api.users.follow(username, { idempotencyKey: visit.idempotencyKey });
    return outcome(visit, username, true);
  }

  @Post('unfollow')
  async unfollow(@CurrentVisit() visit: Visit, @Param('username') username: string): Promise<Outcome> {
    await visit.requireViewer();
    await visit.api.users.unfollow(username);
    return outcome(visit, username, false);
  }
}

const outcome = (visit: Visit, username: string, following: boolean): Outcome =>
  new Outcome({
    goTo: safePath(fieldText(visit, 'next')),
    notice: following ? `You follow ${username} now.` : `You don’t follow ${username} any more.`,
    fragment: <FollowButton username={username} following={following} />,
  });
