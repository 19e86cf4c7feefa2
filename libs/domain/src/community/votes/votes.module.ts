import { Module } from '@nestjs/common';
import { OutboxModule } from '@vitrine/outbox';
import { AuthorsModule } from '../../accounts/authors/authors.module';
import { VoteRepository } from './vote.repository';
import { VotesService } from './votes.service';

/** Votes on posts and comments; separate from both because both need it. */
@Module({
  imports: [AuthorsModule, OutboxModule],
  providers: [VoteRepository, VotesService],
  exports: [VotesService],
})
export class VotesModule {}
