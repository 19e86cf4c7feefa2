export { Counters, type Limiter, CountersConfig } from './counters';
export { CountersModule } from './counters.module';
export { probeRedis } from './redis-link';
