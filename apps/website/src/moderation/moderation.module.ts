import { Module } from '@nestjs/common';
import { AccountController } from './account.controller';
import { ApplicationsController } from './applications.controller';
import { DecisionsController } from './decisions.controller';
import { HashesController } from './hashes.controller';
import { QueueController } from './queue.controller';
import { Rulings } from './rulings';
import { SubjectController } from './subject.controller';

/** The pages for moderators: the queue, the decision log and the bans. */
@Module({
  controllers: [
    QueueController,
    DecisionsController,
    HashesController,
    SubjectController,
    AccountController,
    ApplicationsController,
  ],
  providers: [Rulings],
})
export class ModerationModule {}
