import { Module } from '@nestjs/common';
import { provideConfig } from '@vitrine/runtime';
import { Counters, CountersConfig } from './counters';

/** Provides the counts behind every limit. */
@Module({ providers: [provideConfig(CountersConfig), Counters], exports: [Counters] })
export class CountersModule {}
