import { Module } from '@nestjs/common';
import { MediaModule as DomainMediaModule } from '@vitrine/domain';
import { MediaController } from './media.controller';

@Module({ imports: [DomainMediaModule], controllers: [MediaController] })
export class MediaModule {}
