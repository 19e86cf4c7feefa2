import { Module } from '@nestjs/common';
import { OembedController } from './oembed.controller';

/** How other sites show pages of ours. */
@Module({ controllers: [OembedController] })
export class OembedModule {}
