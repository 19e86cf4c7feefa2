import { Module } from '@nestjs/common';
import { EmbedController } from './embed.controller';
import { MediaController } from './media.controller';

/** A media by itself, here and in frames of other sites. */
@Module({ controllers: [MediaController, EmbedController] })
export class MediaModule {}
