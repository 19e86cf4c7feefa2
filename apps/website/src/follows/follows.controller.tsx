import { Controller, Param, Post } from '@nestjs/common';
import { FollowButton } from '../components/follow-button';
import { FormResult } from '../results/form-result';
import { CurrentVisit } from '../visits/current-visit';
import { fieldText } from '../visits/form-fields';
import { safePath } from '../visits/safe-path';
import type { Visit } from '../visits/visit';

@Controller('u/:username')
export class FollowsController {
  @Post('follow')
  async follow(@CurrentVisit() visit: Visit, @Param('username') username: string): Promise<FormResult> {
    await visit.requireViewer();
    await visit.api.users.follow(username, { idempotencyKey: visit.idempotencyKey });
    return followResult(visit, username, true);
  }

  @Post('unfollow')
  async unfollow(@CurrentVisit() visit: Visit, @Param('username') username: string): Promise<FormResult> {
    await visit.requireViewer();
    await visit.api.users.unfollow(username);
    return followResult(visit, username, false);
  }
}

const followResult = (visit: Visit, username: string, following: boolean): FormResult =>
  new FormResult({
    goTo: safePath(fieldText(visit, 'next')),
    notice: following ? `You are now following ${username}.` : `You no longer follow ${username}.`,
    fragment: <FollowButton username={username} following={following} />,
  });
