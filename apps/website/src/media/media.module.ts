import { Module } from '@nestjs/common';
import { EmbedController } from './embed.controller';
import { MediaController } from './media.controller';

/** The page of a media item, and the page for frames on other sites. */
@Module({ controllers: [MediaController, EmbedController] })
export class MediaModule {}
