import { Module } from '@nestjs/common';
import { FollowsController } from './follows.controller';

/** Following people, and ceasing to. */
@Module({ controllers: [FollowsController] })
export class FollowsModule {}
