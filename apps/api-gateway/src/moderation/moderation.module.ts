import { Module } from '@nestjs/common';
import { ReviewModule, ReportsModule } from '@vitrine/domain';
import { DecisionsController } from './decisions.controller';
import { HashesController } from './hashes.controller';
import { QueueController } from './queue.controller';
import { RulingsController } from './rulings.controller';

@Module({
  imports: [ReviewModule, ReportsModule],
  controllers: [QueueController, RulingsController, HashesController, DecisionsController],
})
export class ModerationModule {}
