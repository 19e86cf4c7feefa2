import { closeSync, fstatSync, openSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { BACKGROUND_NICENESS, lowerPriority } from '@vitrine/concurrency';
import {
  inspect,
  isUsvgBroken,
  UnreadableFileError,
  UnsupportedFormatError,
  UnsupportedVariantError,
} from '@vitrine/formats';
import type { InspectionOutcome } from './file-inspector';
import { readFullySync } from '../scratch/scratch-file';
import { threadId } from './thread-time';

// On Linux this changes the priority of the thread, not of its process.
if (process.platform === 'linux') lowerPriority(BACKGROUND_NICENESS);

/** Inspects one file after another. Each message is a path; each answer is an `InspectionOutcome`. */
parentPort?.on('message', (path: string) => {
  void inspectSafely(path).then((outcome) => {
    parentPort?.postMessage(outcome);
    if (isUsvgBroken()) parentPort?.close();
  });
});

// The thread is ready; from now on its time counts.
parentPort?.postMessage(threadId());

async function inspectSafely(path: string): Promise<InspectionOutcome> {
  try {
    return { inspection: await inspectFile(path) };
  } catch (error) {
    if (error instanceof UnsupportedVariantError) return { refusal: 'unsupported', sentence: error.message };
    if (error instanceof UnsupportedFormatError) return { refusal: 'wrongType' };
    if (error instanceof UnreadableFileError) return { refusal: 'unreadable' };
    return {
      refusal: 'unreadable',
      problem: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
}

async function inspectFile(path: string) {
  const descriptor = openSync(path, 'r');
  try {
    const { size } = fstatSync(descriptor);
    return await inspect({
      size,
      read: async (offset, length) => {
        const bytes = new Uint8Array(Math.max(0, Math.min(length, size - offset)));
        readFullySync(descriptor, bytes, offset);
        return bytes;
      },
      readInto: async (target, offset) => {
        const bytes = target.subarray(0, Math.max(0, size - offset));
        readFullySync(descriptor, bytes, offset);
        return bytes.length;
      },
    });
  } finally {
    closeSync(descriptor);
  }
}
