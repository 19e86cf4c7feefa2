import type { ServiceProcess } from '@vitrine/testing';
import { stopWithin } from './rolling';

/** A process that ignores all signals except `fatal`. It exits with 0 after SIGTERM; after SIGKILL it has no status. */
function processEndingOn(
  fatal: NodeJS.Signals,
): { readonly signals: string[] } & Pick<ServiceProcess, 'stop'> {
  const signals: string[] = [];
  let end: (status: number | null) => void;
  const ended = new Promise<number | null>((resolve) => (end = resolve));
  const stop = (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    signals.push(signal);
    if (signal === fatal) end(signal === 'SIGTERM' ? 0 : null);
    return ended;
  };
  return { signals, stop };
}

describe('stopWithin', () => {
  it('returns the status of a process that ends by itself', async () => {
    const process = processEndingOn('SIGTERM');

    expect(await stopWithin(process, 10)).toBe(0);
    expect(process.signals).toEqual(['SIGTERM']);
  });

  it('kills a process that ignores SIGTERM, and returns null', async () => {
    const process = processEndingOn('SIGKILL');

    expect(await stopWithin(process, 10)).toBeNull();
    expect(process.signals).toEqual(['SIGTERM', 'SIGKILL']);
  });
});
