import { Module } from '@nestjs/common';
import { OembedController } from './oembed.controller';

/** oEmbed: how other sites embed pages. */
@Module({ controllers: [OembedController] })
export class OembedModule {}
