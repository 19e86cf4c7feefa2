import { Module } from '@nestjs/common';
import { SyndicationController } from './syndication.controller';

/** Feeds for readers. */
@Module({ controllers: [SyndicationController] })
export class SyndicationModule {}
