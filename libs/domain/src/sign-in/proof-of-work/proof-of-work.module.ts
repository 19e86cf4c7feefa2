import { Module } from '@nestjs/common';
import { CountersModule } from '@vitrine/counters';
import { provideConfig } from '@vitrine/runtime';
import { ProofOfWorkConfig } from './proof-of-work.config';
import { ProofOfWorkService } from './proof-of-work.service';

/** Proofs of work for new accounts and guests. */
@Module({
  imports: [CountersModule],
  providers: [provideConfig(ProofOfWorkConfig), ProofOfWorkService],
  exports: [ProofOfWorkService],
})
export class ProofOfWorkModule {}
