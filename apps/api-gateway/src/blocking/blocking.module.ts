import { Module } from '@nestjs/common';
import { BlockingModule as DomainBlockingModule } from '@vitrine/domain';
import { BlockingController } from './blocking.controller';

/** Blocking and muting of users. */
@Module({ imports: [DomainBlockingModule], controllers: [BlockingController] })
export class BlockingModule {}
