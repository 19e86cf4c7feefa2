import { Module } from '@nestjs/common';
import { provideConfig } from '@vitrine/runtime';
import { Counters } from './counters';
import { CountersConfig } from './counters.config';

/** Provides the counts behind every limit. */
@Module({ providers: [provideConfig(CountersConfig), Counters], exports: [Counters] })
export class CountersModule {}
