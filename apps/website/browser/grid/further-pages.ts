import { parseMarkup } from '../dom/markup';

/** Distance from the end at which the next page is loaded. */
const PRELOAD_DISTANCE = '1500px';
/** Loading a page stops after this time, and the link to it is shown again. */
const PAGE_TIMEOUT_MS = 15_000;
/**
 * After this many pages, the visitor uses the link: a page must not grow without limit, and its footer must be
 * reachable.
 */
const MAX_PAGES = 20;

/** Loads further pages into the grid of a page. */
export class FurtherPages {
  /** Number of pages that were added to the first. */
  added = 0;
  private loading: Promise<boolean> | undefined;

  private constructor(
    private readonly grid: HTMLElement,
    private pager: HTMLElement,
    private readonly changed: () => void,
  ) {}

  /** Null unless the page has exactly one grid and one pager. `changed` is called after tiles were added. */
  static find(changed: () => void): FurtherPages | null {
    const grids = document.querySelectorAll<HTMLElement>('[data-grid]');
    const pagers = document.querySelectorAll<HTMLElement>('main .pager');
    const [grid, pager] = [grids[0], pagers[0]];
    if (!grid || !pager || grids.length > 1 || pagers.length > 1) return null;
    return new FurtherPages(grid, pager, changed);
  }

  /**
   * Adds the next page when the end comes near. After a failure, tries again when the browser is online or the page is
   * shown again.
   */
  watch(): void {
    const observer = new IntersectionObserver(
      (entries) => {
        // The keyboard focus is at the end of the page, so the content must not move.
        if (!entries.some((entry) => entry.isIntersecting) || this.hasFocusBelow()) return;
        void this.load().then((loaded) => {
          // Observing again reports whether the end is still near.
          if (loaded) void watchAnew();
          else observer.disconnect();
        });
      },
      { rootMargin: PRELOAD_DISTANCE },
    );
    const watchAnew = async (): Promise<void> => {
      await this.loading;
      observer.disconnect();
      observer.observe(this.pager);
    };
    void watchAnew();
    addEventListener('online', () => void watchAnew());
    // Browsers that keep a page in the back-forward cache abort its requests.
    addEventListener('pageshow', ({ persisted }) => persisted && void watchAnew());
  }

  /** Adds the next page. Returns false if there is none or loading fails; the link to it then stays. */
  load(): Promise<boolean> {
    this.loading ??= this.append().finally(() => (this.loading = undefined));
    return this.loading;
  }

  private get next(): HTMLAnchorElement | null {
    return this.pager.querySelector<HTMLAnchorElement>('a[rel="next"]');
  }

  private async append(): Promise<boolean> {
    const { next } = this;
    if (!next || this.added >= MAX_PAGES) return false;
    // Hides the content below the grid meanwhile, so that its move is no layout shift (styles/grid/motion.css).
    document.documentElement.classList.add('is-growing');
    try {
      const response = await fetch(next.href, {
        headers: { Accept: 'text/html' },
        signal: AbortSignal.timeout(PAGE_TIMEOUT_MS),
      });
      if (!response.ok) return false;
      this.take(parseMarkup(await response.text()));
      return true;
    } catch {
      return false;
    } finally {
      requestAnimationFrame(() =>
        requestAnimationFrame(() => document.documentElement.classList.remove('is-growing')),
      );
    }
  }

  private take(page: Document): void {
    // New items may have moved others to the next page, so known tiles are skipped.
    const known = new Set([...this.grid.querySelectorAll<HTMLElement>('[data-tile]')].map(nameOf));
    const fresh = [...page.querySelectorAll('[data-grid] > li')].filter((tile) => {
      const link = tile.querySelector<HTMLElement>('[data-tile]');
      return link !== null && !known.has(nameOf(link));
    });
    for (const tile of fresh) for (const image of tile.querySelectorAll('img')) loadLazily(image);
    this.grid.append(...fresh.map((tile) => document.adoptNode(tile)));
    this.added++;
    const pager = page.querySelector<HTMLElement>('main .pager');
    if (pager) {
      // The previous page is already above; only the link to the page before the first one stays.
      const previous = this.pager.querySelector('a[rel="prev"]');
      pager.querySelector('a[rel="prev"]')?.remove();
      if (previous) pager.prepend(previous);
      this.pager.replaceWith(document.adoptNode(pager));
      this.pager = pager;
    }
    this.changed();
  }

  private hasFocusBelow(): boolean {
    const focused = document.activeElement;
    return focused !== null && (this.pager.contains(focused) || focused.closest('footer') !== null);
  }
}

const nameOf = (link: HTMLElement): string => link.dataset['tile'] ?? '';

function loadLazily(image: HTMLImageElement): void {
  if (image.src.startsWith('data:')) return;
  image.loading = 'lazy';
  image.fetchPriority = 'auto';
}
