import { Module } from '@nestjs/common';
import { MediaModule as DomainMediaModule } from '@vitrine/domain';
import { HttpModule } from '@vitrine/http';
import { MediaController } from './media.controller';
import { MediaWaits } from './media-waits';
import { OwnMediaController } from './own-media.controller';

@Module({
  imports: [DomainMediaModule, HttpModule],
  controllers: [MediaController, OwnMediaController],
  providers: [MediaWaits],
})
export class MediaModule {}
