import { VitrineError } from '@vitrine/client';

/** Waits for the end of something. What has ended already, in another tab or by a second click, is as good. */
export async function unlessGone(ending: Promise<unknown>): Promise<void> {
  try {
    await ending;
  } catch (error) {
    if (!(error instanceof VitrineError && error.code === 'not_found')) throw error;
  }
}
