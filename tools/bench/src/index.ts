export { photograph } from './harness/photograph';
export { type ProcessUsage, descendantsOf, residentMebibytes, usageOf } from './processes/process-usage';
export { type Latencies, latenciesOf, median } from './statistics/statistics';
