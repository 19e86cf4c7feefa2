import { parseMarkup } from '../dom/markup';

/** How far before the end the next page is asked for. */
const AHEAD = '1500px';
/** A page that takes longer is given up, and the link to it shown again. */
const PATIENCE_MS = 15_000;
/** After so many the visitor goes on by the link: a page must not grow for ever, and its end is in reach again. */
const MOST_PAGES = 20;

/** The one grid of a page, which goes on with the page's next ones. */
export class FurtherPages {
  /** Pages that were added to the first. */
  added = 0;
  private loading: Promise<boolean> | undefined;

  private constructor(
    private readonly grid: HTMLElement,
    private pager: HTMLElement,
    private readonly changed: () => void,
  ) {}

  /** Null where the page isn't one grid with one pager. `changed` is called after tiles were added. */
  static find(changed: () => void): FurtherPages | null {
    const grids = document.querySelectorAll<HTMLElement>('[data-grid]');
    const pagers = document.querySelectorAll<HTMLElement>('main .pager');
    const [grid, pager] = [grids[0], pagers[0]];
    if (!grid || !pager || grids.length > 1 || pagers.length > 1) return null;
    return new FurtherPages(grid, pager, changed);
  }

  /** Adds the next page whenever the end comes near; where one failed, again as soon as that may fare better. */
  watch(): void {
    const observer = new IntersectionObserver(
      (entries) => {
        // Whoever has the keyboard at the page's end wants to stay there.
        if (!entries.some((entry) => entry.isIntersecting) || this.hasFocusBelow()) return;
        void this.load().then((loaded) => {
          // Observing anew tells whether the end is still near.
          if (loaded) void watchAnew();
          else observer.disconnect();
        });
      },
      { rootMargin: AHEAD },
    );
    const watchAnew = async (): Promise<void> => {
      await this.loading;
      observer.disconnect();
      observer.observe(this.pager);
    };
    void watchAnew();
    addEventListener('online', () => void watchAnew());
    // Browsers that keep a page for the way back give up what it was asking for.
    addEventListener('pageshow', ({ persisted }) => persisted && void watchAnew());
  }

  /** Adds the next page. False where there is none, or it can't be had: the link to it is still there then. */
  load(): Promise<boolean> {
    this.loading ??= this.append().finally(() => (this.loading = undefined));
    return this.loading;
  }

  private get next(): HTMLAnchorElement | null {
    return this.pager.querySelector<HTMLAnchorElement>('a[rel="next"]');
  }

  private async append(): Promise<boolean> {
    const { next } = this;
    if (!next || this.added >= MOST_PAGES) return false;
    // What moves down while nobody sees it hasn't moved (styles/grid.css).
    document.documentElement.classList.add('is-growing');
    try {
      const response = await fetch(next.href, {
        headers: { Accept: 'text/html' },
        signal: AbortSignal.timeout(PATIENCE_MS),
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
    // Between two pages something may have come in, and moved others on.
    const known = new Set([...this.grid.querySelectorAll<HTMLElement>('[data-tile]')].map(nameOf));
    const fresh = [...page.querySelectorAll('[data-grid] > li')].filter((tile) => {
      const link = tile.querySelector<HTMLElement>('[data-tile]');
      return link !== null && !known.has(nameOf(link));
    });
    for (const tile of fresh) for (const image of tile.querySelectorAll('img')) beLazy(image);
    this.grid.append(...fresh.map((tile) => document.adoptNode(tile)));
    this.added++;
    const pager = page.querySelector<HTMLElement>('main .pager');
    if (pager) {
      // What comes before stands above already, but for what came before the first page.
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

function beLazy(image: HTMLImageElement): void {
  if (image.src.startsWith('data:')) return;
  image.loading = 'lazy';
  image.fetchPriority = 'auto';
}
