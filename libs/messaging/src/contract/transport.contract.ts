import { describeConsuming } from './consuming.contract';
import { describeDeadLetters } from './dead-letters.contract';
import { describeOutages } from './outages.contract';
import { describePublishing } from './publishing.contract';
import { describeStartingAndStopping } from './starting-and-stopping.contract';
import { transportBench, type TransportHarness } from './transport-bench';

export type { TransportHarness } from './transport-bench';

/** The contract of `MessageTransport`, which each adapter must keep over its real broker. */
export function describeTransport(name: string, makeHarness: () => Promise<TransportHarness>): void {
  describe(`${name} as a MessageTransport`, () => {
    const bench = transportBench(makeHarness);
    describePublishing(bench);
    describeConsuming(bench);
    describeDeadLetters(bench);
    describeOutages(bench);
    describeStartingAndStopping(bench);
  });
}
