import { Module } from '@nestjs/common';
import { FollowsController } from './follows.controller';

/** Following and unfollowing users. */
@Module({ controllers: [FollowsController] })
export class FollowsModule {}
