import { elementOf } from '../dom/markup';

interface Picture {
  readonly link: HTMLAnchorElement;
  /** Address of a size that fits most screens, and the sizes of which the browser chooses one. */
  readonly shown: string;
  readonly srcset: string;
  readonly alt: string;
  readonly isTransparent: boolean;
  /** Size of the original in pixels. */
  readonly width: number;
  readonly height: number;
}

/** Pixels of a swipe. */
const SWIPE = 60;
/** The largest enlargement of the original. */
const MAX_SCALE = 4;
/** From this height in widths, a picture is opened at the window's width and scrolled. */
const TALL = 2;

/** Strokes as those of src/components/icon.tsx. */
const SHAPES = {
  Previous: 'm15 5-7 7 7 7',
  Next: 'm9 5 7 7-7 7',
  Zoom: 'M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13M15.5 15.5 20 20M10.5 8v5M8 10.5h5',
  Close: 'M6 6l12 12M18 6 6 18',
} as const;

/**
 * Opens the page's pictures in a dialog. Arrow keys and swipes move between them; Enter, a click, the wheel and two fingers
 * zoom; Escape and the browser's Back close.
 */
export function enableZoom(): void {
  document.addEventListener('click', (event) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a[data-zoom]') : null;
    if (!(link instanceof HTMLAnchorElement)) return;
    event.preventDefault();
    const pictures = picturesOf(document);
    const at = pictures.findIndex((picture) => picture.link === link);
    new Viewer(pictures).open(at);
  });
}

/** Covered adult content is not included. */
const picturesOf = (page: Document): Picture[] =>
  [...page.querySelectorAll<HTMLAnchorElement>('a[data-zoom]')]
    .filter((link) => link.closest('[data-veil]:not([open])') === null)
    .map((link) => {
      const image = link.querySelector<HTMLImageElement>('img.picture-image');
      const [shown, shape] = [link.dataset['zoom'] ?? link.href, link.querySelector('.shape')];
      return {
        link,
        shown,
        // Animations are shown as their original.
        srcset: shown === link.href ? '' : (image?.srcset ?? ''),
        alt: image?.alt ?? '',
        isTransparent: link.querySelector('.transparent') !== null,
        width: Number(shape?.getAttribute('width')),
        height: Number(shape?.getAttribute('height')),
      };
    });

/** The dialog that shows pictures one at a time. */
class Viewer {
  /** Resolves once the browser has left the history entry of the previous viewer. */
  private static gone = Promise.resolve();
  private isInHistory = false;
  private readonly dialog = document.createElement('dialog');
  private readonly pane = document.createElement('div');
  private readonly place = document.createElement('p');
  private readonly size = button('Zoom', () => this.toggleSize());
  private readonly closed = new AbortController();
  private image = document.createElement('img');
  /** The displayed width of the picture. */
  private width = 0;
  private at = 0;

  constructor(private readonly pictures: readonly Picture[]) {
    this.dialog.className = 'viewer';
    this.pane.className = 'viewer-pane';
    this.pane.tabIndex = 0;
    this.pane.append(this.image);
    this.place.className = 'viewer-place';
    this.place.ariaLive = 'polite';
    const bar = document.createElement('div');
    bar.className = 'viewer-bar';
    const moves = [
      button('Previous', () => this.show(this.at - 1)),
      button('Next', () => this.show(this.at + 1)),
    ];
    const close = button('Close', () => this.leave());
    bar.append(this.place, ...(pictures.length > 1 ? moves : []), this.size, close);
    this.dialog.append(bar, this.pane);
    this.dialog.addEventListener('keydown', (event) => this.press(event));
    this.dialog.addEventListener('close', () => this.leave());
    this.pane.addEventListener('click', (event) => {
      if (event.target === this.pane) this.leave();
      else this.toggleSize(event);
    });
    this.pane.addEventListener('wheel', (event) => this.turnWheel(event), { passive: false });
    enableDragging(this.pane);
    this.enableTouch();
  }

  open(at: number): void {
    document.body.append(this.dialog);
    this.dialog.showModal();
    this.show(at);
    this.pane.focus();
    void Viewer.gone.then(() => this.enterHistory());
    const { signal } = this.closed;
    addEventListener('resize', () => !this.isWhole && this.zoomTo(this.startWidth), { signal });
  }

  private enterHistory(): void {
    const { signal } = this.closed;
    if (signal.aborted) return;
    this.isInHistory = true;
    history.pushState(history.state, '');
    addEventListener('popstate', () => this.leave(true), { signal });
  }

  private get picture(): Picture {
    return this.pictures[this.at]!;
  }

  private show(at: number): void {
    const count = this.pictures.length;
    this.at = (at + count) % count;
    const { alt, isTransparent } = this.picture;
    const before = this.image;
    this.image = this.load(this.at);
    before.replaceWith(this.image);
    this.image.alt = alt;
    this.image.classList.toggle('transparent', isTransparent);
    const name = `Picture${count > 1 ? ` ${this.at + 1} of ${count}` : ''}${alt === '' ? '' : `: ${alt}`}`;
    this.place.textContent = count > 1 ? name : '';
    this.dialog.ariaLabel = name;
    this.zoomTo(this.startWidth);
    this.pane.scrollTo({ top: 0, left: 0, behavior: 'instant' });
    if (count > 1) for (const near of [at + 1, at - 1]) this.load((near + count) % count);
  }

  private load(at: number): HTMLImageElement {
    const picture = this.pictures[at]!;
    const { shown, srcset, width, height } = picture;
    const image = new Image();
    image.style.aspectRatio = `auto ${width} / ${height}`;
    image.sizes = `${Math.round(this.startWidthOf(picture))}px`;
    image.srcset = srcset;
    image.src = shown;
    return image;
  }

  private get startWidth(): number {
    return this.startWidthOf(this.picture);
  }

  /** The width in which a picture fits the window; a tall one fits its width only. */
  private startWidthOf({ width, height }: Picture): number {
    const { clientWidth, clientHeight } = this.pane;
    const isTall = height > TALL * width;
    return Math.min(width, clientWidth, isTall ? Infinity : (clientHeight * width) / height);
  }

  /** Switches between fitting the window and the original's actual size (double the size if it fits), around a point. */
  private toggleSize(click?: MouseEvent): void {
    const [least, { width: actual }] = [this.startWidth, this.picture];
    const larger = actual > least ? actual : 2 * least;
    this.zoomTo(this.isWhole ? least : larger, click?.clientX, click?.clientY);
  }

  private get isWhole(): boolean {
    return this.pane.classList.contains('whole');
  }

  /** Shows the picture with a width in CSS pixels; the given point of the window shows the same part as before. */
  private zoomTo(wanted: number, x = innerWidth / 2, y = innerHeight / 2): void {
    const [least, { width: actual, link }] = [this.startWidth, this.picture];
    const before = this.image.getBoundingClientRect();
    this.width = Math.max(least, Math.min(wanted, actual * MAX_SCALE));
    this.image.style.width = `${this.width}px`;
    this.pane.classList.toggle('whole', this.width > least + 1);
    this.pane.classList.toggle('wide', this.width > this.pane.clientWidth + 1);
    const after = this.image.getBoundingClientRect();
    this.pane.scrollBy({
      left: after.left - x + ((x - before.left) * after.width) / (before.width || 1),
      top: after.top - y + ((y - before.top) * after.height) / (before.height || 1),
      behavior: 'instant',
    });
    this.size.ariaLabel = this.size.title = this.isWhole ? 'Fit the window' : 'Zoom in';
    if (!this.isWhole || this.image.src === link.href) return;
    const { image } = this;
    // The largest size is shown until the original has loaded, or instead of one that browsers can't show.
    image.sizes = `${Math.round(this.width)}px`;
    const whole = new Image();
    whole.src = link.href;
    whole.decode().then(
      () => {
        image.srcset = '';
        image.src = link.href;
      },
      () => undefined,
    );
  }

  /** The wheel zooms; tall pictures are scrolled, and zoomed with Ctrl, as by a pinch on a trackpad. */
  private turnWheel(event: WheelEvent): void {
    const { width, height } = this.picture;
    if (!event.ctrlKey && height > TALL * width) return;
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 30 : 1);
    const speed = event.ctrlKey ? 0.01 : 0.002;
    this.zoomTo(this.width * Math.exp(-pixels * speed), event.clientX, event.clientY);
  }

  /** Two fingers zoom. One moves to another picture, unless the picture can be scrolled sideways. */
  private enableTouch(): void {
    let [swipe, pinch]: [Touch | null, { readonly apart: number; readonly width: number } | null] = [
      null,
      null,
    ];
    const apart = ([a, b]: TouchList): number => Math.hypot(a!.clientX - b!.clientX, a!.clientY - b!.clientY);
    const isSideways = (right: number, down: number): boolean => Math.abs(right) > Math.abs(down);
    this.pane.addEventListener('touchstart', ({ touches }) => {
      swipe = touches.length === 1 && !this.pane.classList.contains('wide') ? touches[0]! : null;
      pinch = touches.length === 2 ? { apart: apart(touches), width: this.width } : null;
      this.image.style.translate = '';
    });
    const move = (event: TouchEvent): void => {
      const [first, second] = event.touches;
      if (pinch && first && second) {
        event.preventDefault();
        const [x, y] = [(first.clientX + second.clientX) / 2, (first.clientY + second.clientY) / 2];
        this.zoomTo((pinch.width * apart(event.touches)) / pinch.apart, x, y);
      } else if (swipe && first && this.pictures.length > 1) {
        const [right, down] = [first.clientX - swipe.clientX, first.clientY - swipe.clientY];
        this.image.style.translate = isSideways(right, down) ? `${right}px` : '';
      }
    };
    this.pane.addEventListener('touchmove', move, { passive: false });
    this.pane.addEventListener('touchend', ({ changedTouches: [last] }) => {
      this.image.style.translate = '';
      if (!swipe || !last) return;
      const [right, down] = [last.clientX - swipe.clientX, last.clientY - swipe.clientY];
      swipe = null;
      if (Math.abs(right) >= SWIPE && isSideways(right, down)) this.show(this.at + (right > 0 ? -1 : 1));
    });
    this.pane.addEventListener('touchcancel', () => {
      swipe = pinch = null;
      this.image.style.translate = '';
    });
  }

  private press(event: KeyboardEvent): void {
    // Key combinations of the browser, such as page zoom and back.
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof HTMLButtonElement && event.key === 'Enter') return;
    const actions: Readonly<Record<string, () => void>> = {
      ...(this.pane.classList.contains('wide')
        ? {}
        : { ArrowLeft: () => this.show(this.at - 1), ArrowRight: () => this.show(this.at + 1) }),
      Enter: () => this.toggleSize(),
      '+': () => this.zoomTo(this.width * 1.5),
      '-': () => this.zoomTo(this.width / 1.5),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  /** `byBack`: whether the browser has already left the history's entry of the dialog. */
  private leave(byBack = false): void {
    if (this.closed.signal.aborted) return;
    this.closed.abort();
    this.dialog.remove();
    const { link } = this.picture;
    link.focus({ preventScroll: true });
    const scroll = (): void => link.scrollIntoView({ block: 'nearest' });
    // The browser restores the scroll position of the entry that it goes back to.
    const scrollLater = (): void => void requestAnimationFrame(scroll);
    if (byBack || !this.isInHistory) return scrollLater();
    Viewer.gone = new Promise((resolve) => addEventListener('popstate', () => resolve(), { once: true }));
    void Viewer.gone.then(scrollLater);
    history.back();
  }
}

function button(name: keyof typeof SHAPES, act: () => void): HTMLElement {
  const element = elementOf(
    `<button type="button" class="viewer-button" aria-label="${name}" title="${name}"><svg class="icon" width="24" height="24" viewBox="0 0 24 24" aria-hidden="true"><path d="${SHAPES[name]}"/></svg></button>`,
  );
  element.addEventListener('click', act);
  return element;
}

/** Scrolls a pane by dragging with the mouse; touch and keys already scroll it. */
function enableDragging(pane: HTMLElement): void {
  let dragged = false;
  pane.addEventListener('pointerdown', (event) => {
    dragged = false;
    if (event.pointerType !== 'mouse' || !pane.classList.contains('whole')) return;
    event.preventDefault();
    const stop = new AbortController();
    const { signal } = stop;
    addEventListener(
      'pointermove',
      ({ movementX, movementY }) => {
        dragged ||= Math.abs(movementX) + Math.abs(movementY) > 2;
        pane.scrollBy({ left: -movementX, top: -movementY, behavior: 'instant' });
      },
      { signal },
    );
    addEventListener('pointerup', () => stop.abort(), { signal });
    addEventListener('pointercancel', () => stop.abort(), { signal });
  });
  pane.addEventListener(
    'click',
    (event) => {
      if (dragged) event.stopPropagation();
      dragged = false;
    },
    true,
  );
}
