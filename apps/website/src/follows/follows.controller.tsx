import { Controller, Param, Post } from '@nestjs/common';
import { FollowButton } from '../components/follow-button';
import { FormResult } from '../results/form-result';
import { CurrentVisit } from '../visits/current-visit';
import { fieldText } from '../visits/form-fields';
import { safePath } from '../visits/safe-path';
import type { Visit } from '../visits/visit';

@Controller()
export class FollowsController {
  @Post('u/:username/follow')
  follow(@CurrentVisit() visit: Visit, @Param('username') username: string): Promise<FormResult> {
    return change(visit, { username }, true);
  }

  @Post('u/:username/unfollow')
  unfollow(@CurrentVisit() visit: Visit, @Param('username') username: string): Promise<FormResult> {
    return change(visit, { username }, false);
  }

  @Post('t/:tag/follow')
  followTag(@CurrentVisit() visit: Visit, @Param('tag') tag: string): Promise<FormResult> {
    return change(visit, { tag }, true);
  }

  @Post('t/:tag/unfollow')
  unfollowTag(@CurrentVisit() visit: Visit, @Param('tag') tag: string): Promise<FormResult> {
    return change(visit, { tag }, false);
  }
}

type Whom = Parameters<typeof FollowButton>[0]['whom'];

async function change(visit: Visit, whom: Whom, following: boolean): Promise<FormResult> {
  await visit.requireViewer();
  const { users, tags } = visit.api;
  const [target, name] = 'tag' in whom ? [tags, whom.tag] : [users, whom.username];
  await (following ? target.follow(name, { idempotencyKey: visit.idempotencyKey }) : target.unfollow(name));
  const shown = target === tags ? `#${name}` : name;
  return new FormResult({
    goTo: safePath(fieldText(visit, 'next')),
    notice: following ? `You are now following ${shown}.` : `You no longer follow ${shown}.`,
    fragment: <FollowButton whom={whom} following={following} />,
  });
}
