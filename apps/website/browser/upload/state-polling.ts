import { uploadedMediaOf, type MediaFacts } from './media-facts';
import type { Queue } from './queue';
import type { Uploads } from './uploads';

const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 20_000;
/** Number of polls without a change after which the page stops polling; moderation can take days. */
const MAX_POLLS = 40;
/** Maximum number of files in one request. */
const FILES_PER_POLL = 50;

/**
 * Polls the state of uploaded files until they are processed and checked, with growing pauses while nothing changes.
 */
export function pollUploadStates(
  uploads: Uploads,
  examine: (slugs: readonly string[]) => Promise<readonly MediaFacts[]>,
): void {
  let looks = 0;
  let known = '';
  let timer: ReturnType<typeof setTimeout> | undefined;

  const plan = (): void => {
    if (timer !== undefined || looks >= MAX_POLLS || openSlugs(uploads.now).length === 0) return;
    timer = setTimeout(() => void look(), delayOf(looks));
  };
  const look = async (): Promise<void> => {
    const slugs = openSlugs(uploads.now).slice(0, FILES_PER_POLL);
    looks++;
    if (slugs.length > 0 && !document.hidden && uploads.now.online) {
      try {
        uploads.dispatch({ type: 'examined', media: (await examine(slugs)).map(uploadedMediaOf) });
      } catch {
        // The next poll may succeed.
      }
    }
    timer = undefined;
    plan();
  };

  const again = (): void => {
    looks = 0;
    clearTimeout(timer);
    timer = undefined;
    plan();
  };
  uploads.onChange((queue) => {
    const open = openSlugs(queue).join();
    if (open === known) return;
    known = open;
    again();
  });
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) again();
  });
}

/** Delay in milliseconds before the next poll, by the number of polls without a change. */
const delayOf = (looks: number): number => Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 1.5 ** looks);

/** Slugs of the files that are being processed, then of those that are being checked. */
function openSlugs({ items }: Queue): readonly string[] {
  const open = items.flatMap(({ stage }) => (stage.name === 'uploaded' ? [stage.media] : []));
  const isJudged = (status: string): boolean => status !== 'pending';
  return [
    ...open.filter(({ processed, error }) => !processed && error === null),
    ...open.filter(({ processed, error, status }) => processed && error === null && !isJudged(status)),
  ].map(({ slug }) => slug);
}
