import { uploadedMediaOf, type MediaFacts } from './media-facts';
import type { Queue } from './queue';
import type { Uploads } from './uploads';

const FIRST_MS = 1_000;
const LONGEST_MS = 20_000;
/** After so many looks without news the page stops asking; a moderator may take days. */
const LOOKS = 40;
/** Files that one question is about. */
const ASKED = 50;

/** Looks after the uploaded files until they are prepared and judged, ever more seldom while nothing happens. */
export function watchUploads(
  uploads: Uploads,
  examine: (slugs: readonly string[]) => Promise<readonly MediaFacts[]>,
): void {
  let looks = 0;
  let known = '';
  let timer: ReturnType<typeof setTimeout> | undefined;

  const plan = (): void => {
    if (timer !== undefined || looks >= LOOKS || openSlugs(uploads.now).length === 0) return;
    timer = setTimeout(() => void look(), delayOf(looks));
  };
  const look = async (): Promise<void> => {
    const slugs = openSlugs(uploads.now).slice(0, ASKED);
    looks++;
    if (slugs.length > 0 && !document.hidden && uploads.now.online) {
      try {
        uploads.tell({ type: 'examined', media: (await examine(slugs)).map(uploadedMediaOf) });
      } catch {
        // The next look will tell.
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

/** Milliseconds before the next look, after so many without news. */
const delayOf = (looks: number): number => Math.min(LONGEST_MS, FIRST_MS * 1.5 ** looks);

/** What is still being prepared, and then what is still to be judged. */
function openSlugs({ items }: Queue): readonly string[] {
  const open = items.flatMap(({ stage }) => (stage.name === 'uploaded' ? [stage.media] : []));
  const isJudged = (status: string): boolean => status !== 'pending';
  return [
    ...open.filter(({ processed, error }) => !processed && error === null),
    ...open.filter(({ processed, error, status }) => processed && error === null && !isJudged(status)),
  ].map(({ slug }) => slug);
}
