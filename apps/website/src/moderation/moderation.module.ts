import { Module } from '@nestjs/common';
import { DecisionsController } from './decisions.controller';
import { HashesController } from './hashes.controller';
import { QueueController } from './queue.controller';
import { Rulings } from './rulings';
import { SubjectController } from './subject.controller';

/** The moderators' room: what waits, what was decided, what is banned. */
@Module({
  controllers: [QueueController, DecisionsController, HashesController, SubjectController],
  providers: [Rulings],
})
export class ModerationModule {}
