import { Module } from '@nestjs/common';
import { BlockingModule as DomainBlockingModule, MediaModule } from '@vitrine/domain';
import { BlockingController } from './blocking.controller';

/** Blocking and muting of users. */
@Module({ imports: [DomainBlockingModule, MediaModule], controllers: [BlockingController] })
export class BlockingModule {}
