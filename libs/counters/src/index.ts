export { Counters, type Limiter } from './counters';
export { CountersConfig } from './counters.config';
export { CountersModule } from './counters.module';
export { probeRedis } from './redis-link';
